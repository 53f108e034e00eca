"""The job for a step of a circuit: the next in rank are invited to the final."""

from workers.client import OrganisingService


def circuit_step(service: OrganisingService, circuit_id: str, step: str, version: int) -> bool:
    """Take the step that the circuit needs at this version; return whether it was taken.

    Idempotent: a late request has no effect, because it names the version that it applies to.
    """
    return service.post_to_circuit(f"{circuit_id}/steps", {"step": step, "expectedVersion": version})
