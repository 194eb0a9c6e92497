import pandas as pd
from phoenix.evals import create_evaluator, evaluate_dataframe
from task import bot, rows


@create_evaluator(name="exact", kind="code")
def exact(output: str, expected: str) -> bool:
    return output == expected


frame = pd.DataFrame([{**row, "output": bot(row["country"])} for row in rows])
print(evaluate_dataframe(frame, [exact]).to_string())
