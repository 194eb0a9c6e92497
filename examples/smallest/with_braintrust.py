from braintrust import Eval
from task import bot, rows


def exact(input, output, expected):
    return output == expected


Eval(
    "Capitals",
    data=[{"input": row["country"], "expected": row["expected"]} for row in rows],
    task=bot,
    scores=[exact],
    no_send_logs=True,
)
