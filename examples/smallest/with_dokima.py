from dokima import evaluate
from task import bot, rows


def exact(outputs, expected):
    return outputs == expected


print(evaluate("Capitals", data=rows, system=bot, scores=[exact], than="previous"))
