def final_answer(solution):
    """Returns the text after the last `A:` of a solution, without commas; None if there is no `A:`."""
    return solution.split("A:")[-1].replace(",", "").strip() if "A:" in solution else None


def score(inputs, outputs, expected):
    given, right = final_answer(outputs["solution"]), final_answer(expected["solution"])
    return {
        "score": given is not None and given == right,
        "reasoning": f"Answered {given or 'nothing'}, expected {right}.",
    }
