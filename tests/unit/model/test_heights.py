from leverage.model.heights import Height, covered


def test_neighbouring_components_cover_what_one_tall_component_covers() -> None:
    tall = covered([(Height.GRAPH, Height.TILE_IR)])
    cut = covered([(Height.GRAPH, Height.LOOP_IR), (Height.LOOP_IR, Height.TILE_IR)])
    assert tall == cut == {(Height.GRAPH, Height.LOOP_IR), (Height.LOOP_IR, Height.TILE_IR)}


def test_a_gap_is_not_covered() -> None:
    parts = covered([(Height.CAPTURE, Height.GRAPH), (Height.TILE_IR, Height.BINARY)])
    assert (Height.GRAPH, Height.LOOP_IR) not in parts
    assert parts != covered([(Height.CAPTURE, Height.BINARY)])


def test_run_time_stands_beside_the_stack() -> None:
    assert covered([(Height.RUNTIME, Height.RUNTIME)]) == {(Height.RUNTIME, Height.RUNTIME)}
    assert covered([]) == frozenset()
