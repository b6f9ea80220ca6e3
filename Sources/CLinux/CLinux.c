#define _GNU_SOURCE
#include "CLinux.h"
#include <stdio.h>

static const struct { int baud; speed_t speed; } rates[] = {
    {1200, B1200}, {2400, B2400}, {4800, B4800}, {9600, B9600}, {19200, B19200}, {38400, B38400}, {57600, B57600},
    {115200, B115200}, {230400, B230400}, {460800, B460800}, {500000, B500000}, {921600, B921600}, {1000000, B1000000},
};
enum { rateCount = sizeof rates / sizeof rates[0] };

int linux_serial_raw(int fd, int baud) {
    struct termios t;
    if (tcgetattr(fd, &t) < 0) return -1;
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    t.c_cc[VMIN] = 0;
    t.c_cc[VTIME] = 0;
    for (int i = 0; i < rateCount; i++)
        if (rates[i].baud == baud) {
            cfsetispeed(&t, rates[i].speed);
            cfsetospeed(&t, rates[i].speed);
            return tcsetattr(fd, TCSANOW, &t);
        }
    errno = EINVAL;
    return -1;
}

int linux_serial_baud(int fd) {
    struct termios t;
    if (tcgetattr(fd, &t) < 0) return -1;
    speed_t speed = cfgetospeed(&t);
    for (int i = 0; i < rateCount; i++)
        if (rates[i].speed == speed) return rates[i].baud;
    errno = EINVAL;
    return -1;
}

int linux_pty_open(char slave[64]) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return -1;
    if (grantpt(master) < 0 || unlockpt(master) < 0 || ptsname_r(master, slave, 64) != 0) {
        close(master);
        return -1;
    }
    return master;
}

int linux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int linux_i2c_select(int fd, int address, int timeoutMillis) {
    if (ioctl(fd, I2C_TIMEOUT, (long)(timeoutMillis + 9) / 10) < 0) return -1;  // in units of 10 ms
    return ioctl(fd, I2C_SLAVE, (long)address);
}

static int smbus(int fd, uint8_t direction, uint8_t reg, uint32_t size, union i2c_smbus_data *data) {
    struct i2c_smbus_ioctl_data call = {.read_write = direction, .command = reg, .size = size, .data = data};
    return ioctl(fd, I2C_SMBUS, &call);
}

static int combined_read(int fd, int address, uint8_t reg, uint8_t *out, int count) {
    struct i2c_msg messages[2] = {
        {.addr = (uint16_t)address, .flags = 0, .len = 1, .buf = &reg},
        {.addr = (uint16_t)address, .flags = I2C_M_RD, .len = (uint16_t)count, .buf = out},
    };
    struct i2c_rdwr_ioctl_data call = {.msgs = messages, .nmsgs = 2};
    return ioctl(fd, I2C_RDWR, &call) < 0 ? -1 : 0;
}

int linux_i2c_read(int fd, int address, uint8_t reg, uint8_t *out, int count) {
    union i2c_smbus_data data;
    if (count == 1) {
        if (smbus(fd, I2C_SMBUS_READ, reg, I2C_SMBUS_BYTE_DATA, &data) < 0) return -1;
        out[0] = data.byte;
        return 0;
    }
    unsigned long abilities = 0;
    if (ioctl(fd, I2C_FUNCS, &abilities) < 0) return -1;
    if (abilities & I2C_FUNC_I2C) return combined_read(fd, address, reg, out, count);
    int most = count > I2C_SMBUS_BLOCK_MAX ? 30 : count;
    for (int done = 0; done < count;) {
        int part = count - done > most ? most : count - done;
        data.block[0] = (uint8_t)part;
        if (smbus(fd, I2C_SMBUS_READ, reg, I2C_SMBUS_I2C_BLOCK_DATA, &data) < 0) return -1;
        if (data.block[0] != part) { errno = EIO; return -1; }
        memcpy(out + done, data.block + 1, (size_t)part);
        done += part;
    }
    return 0;
}

int linux_i2c_write(int fd, uint8_t reg, const uint8_t *bytes, int count) {
    union i2c_smbus_data data = {.byte = bytes[0]};
    if (count == 1) return smbus(fd, I2C_SMBUS_WRITE, reg, I2C_SMBUS_BYTE_DATA, &data);
    data.block[0] = (uint8_t)count;
    memcpy(data.block + 1, bytes, (size_t)count);
    return smbus(fd, I2C_SMBUS_WRITE, reg, I2C_SMBUS_I2C_BLOCK_DATA, &data);
}

int linux_local_date(int64_t seconds, char out[11]) {
    time_t t = (time_t)seconds;
    struct tm parts;
    if (!localtime_r(&t, &parts) || parts.tm_year < -1900 || parts.tm_year > 8099) return -1;
    snprintf(out, 11, "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
    return 0;
}

void linux_set_zone(const char *id) {
    const char *present = getenv("TZ");
    if (present && strcmp(present, id) == 0) return;
    setenv("TZ", id, 1);
    tzset();
}
