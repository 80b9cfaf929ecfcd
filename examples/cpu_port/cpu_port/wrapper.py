"""The generated program: Inductor's own in Python, with one line of slate's at its head."""

from torch._inductor.codegen.wrapper import PythonWrapperCodegen


class SlateWrapper(PythonWrapperCodegen):
    """Python wrapper that knows how to launch."""

    @staticmethod
    def create(is_subgraph, subgraph_name, parent_wrapper, partition_signatures=None):
        if is_subgraph:
            return PythonWrapperCodegen.create(is_subgraph, subgraph_name, parent_wrapper, partition_signatures)
        return SlateWrapper()

    def write_header(self):
        super().write_header()
        self.header.splice("def slate_launch(name, cores, scratchpad): raise NotImplementedError('slate is not built')")
