from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver
from task import bot, rows


@solver
def system():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("capitals", bot(state.input_text))
        return state

    return solve


samples = [Sample(input=row["country"], target=row["expected"]) for row in rows]
eval(Task(dataset=samples, solver=system(), scorer=match()), model="none", display="plain")
