"""A program that traces with Langfuse's SDK. Only its environment says where the traces go."""

from langfuse import get_client, observe, propagate_attributes

langfuse = get_client()


@observe(as_type="tool")
def measure(city):
    return {"city": city, "celsius": 3}


@observe(name="how-warm")
def answer(question):
    with propagate_attributes(session_id="a talk", tags=["weather", "north"]):
        measured = measure("Oslo")
        messages = [
            {"role": "system", "content": "You say what the weather is."},
            {"role": "user", "content": question},
        ]
        with langfuse.start_as_current_observation(
            as_type="generation", name="ask", model="gpt-4o-mini", input=messages
        ) as generation:
            text = f"It is {measured['celsius']} °C in Oslo."
            generation.update(
                output={"role": "assistant", "content": text},
                usage_details={"input": 21, "output": 9},
                cost_details={"total": 0.000008},
            )
        with langfuse.start_as_current_observation(as_type="retriever", name="archive", input="Oslo") as archive:
            archive.update(level="ERROR", status_message="The archive is closed.")
    return text


print(answer("How warm is it in Oslo?"))
langfuse.flush()
