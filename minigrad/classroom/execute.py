"""How submissions are run: one cell that ends Python itself costs its own points, and no others."""

from typing import Any

from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute as NbgradersExecute


class Execute(NbgradersExecute):  # type: ignore[misc]
    """Runs a notebook as nbgrader does. If the kernel dies, it runs it again without that cell."""

    def preprocess(self, nb: Any, *arguments: Any) -> tuple[Any, Any]:
        """The notebook with its outputs; a cell that ended the kernel has an error for its own."""
        self._deadly: set[int] = set()
        for cell in nb.cells:  # students could have their cells passed over, and what grades them
            tags = cell.metadata.pop("tags", [])
            cell.metadata["tags"] = [one for one in tags if one != self.skip_cells_with_tag]
        while True:
            try:
                done: tuple[Any, Any] = super().preprocess(nb, *arguments)
                return done
            except DeadKernelError:
                self._deadly.add(self._at)
                self.log.warning(f"cell {self._at} ended the kernel; running the others again")

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Run one cell, unless it is known to end the kernel."""
        self._at = index
        if index in self._deadly:
            ended = "This cell ended Python itself, so it was left out."
            cell.outputs = [new_output("error", ename="Crash", evalue=ended, traceback=[ended])]
            return cell, resources
        done: tuple[Any, Any] = super().preprocess_cell(cell, resources, index)
        return done
