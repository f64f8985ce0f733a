"""What a call to a GPU costs, ns a call

Fills in a queue, of sizes that come again and that do not; graphs; a new generator."""

NEEDS = ("cuda/measure-calls",)
