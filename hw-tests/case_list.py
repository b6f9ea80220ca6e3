"""What a case is, and where the cases are."""
import importlib

MODULES = ["cases_journey", "cases_receiver", "cases_gnss", "cases_gnss_faults", "cases_gpsd", "cases_time",
           "cases_sensors", "cases_doctor", "cases_power", "cases_modem", "cases_board", "cases_capture", "cases_kill",
           "cases_server", "cases_tls", "cases_secrets", "cases_start", "cases_config", "cases_replay"]
_cases = []


class Case:
    def __init__(self, sentence, body, seconds, on_board):
        self.sentence = sentence
        self.body = body
        self.seconds = seconds
        self.on_board = on_board


def case(sentence, seconds=5, on_board=False):
    """Makes a function of a bench a case. `seconds`: about how long it takes, for the order; `on_board`: it needs
    nothing that a real board with a serial adapter cannot give."""

    def add(body):
        _cases.append(Case(sentence, body, seconds, on_board))
        return body

    return add


def all_cases():
    for module in MODULES:
        importlib.import_module(module)
    return list(_cases)
