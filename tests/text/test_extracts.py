"""What a revision is told to preserve."""

import pytest

from redraft.text import citations, links, numbers, quotations


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,000 and 1000", ["1000", "1000"]),
        ("3.14, -5 and −7", ["3.14", "-5", "-7"]),
        ("pages 10-15", ["10", "15"]),
        ("3,4,5", ["3", "4", "5"]),
        ("on 12/03/2020 at 10:30", ["12/03/2020", "10:30"]),
        ("v2.0.1", ["2.0.1"]),
        ("$1,234,567.89", ["1234567.89"]),
        ("50% in the 2nd year", ["50", "2"]),
        ("1e-5", ["1e-5"]),
        ("none", []),
    ],
)
def test_numbers(text: str, values: list[str]) -> None:
    assert [number.value for number in numbers(text)] == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('He said "stop," and left.', ["stop"]),
        ("He said “go.”", ["go"]),
        ("It's the dogs' food.", []),
        ("a ‘don’t’ sign", ["don't"]),
        ("the word 'fine' here", ["fine"]),
        ("« Bonjour »", ["Bonjour"]),
        ("「你好」", ["你好"]),
        ('an open " quote', []),
        ('6" tall by 5" wide', []),
        ('6" tall and "wide"', ["wide"]),
        ('"in 2020" and "now"', ["in 2020", "now"]),
        ("'tis the dogs' bone", []),
        ("in the '90s the dogs' food", []),
        ("the word 'cause' here", ["cause"]),
    ],
)
def test_quotations(text: str, values: list[str]) -> None:
    assert [quotation.value for quotation in quotations(text)] == values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so (Smith et al., 2020; Jones & Lee, 2019a).", ["(Smith et al., 2020; Jones & Lee, 2019a)"]),
        ("As Smith and Jones (2020, p. 4) say", ["Smith and Jones (2020, p. 4)"]),
        ("as in [12] and [3, 4–6]", ["[12]", "[3, 4–6]"]),
        ("\\citep[see][]{a,b} and [@x; @y]", ["\\citep[see][]{a,b}", "[@x; @y]"]),
        ("(in 2020) and [sic]", []),
        ("so (World Health Organization, 2020).", ["(World Health Organization, 2020)"]),
        ("so (Bank of England, 2019; Smith, 2020)", ["(Bank of England, 2019; Smith, 2020)"]),
        ("so (Smith 2020a,b) and (In March, 2020)", ["(Smith 2020a,b)"]),
        ("so [Smith20] and [Smith20, KL+19a]", ["[Smith20]", "[Smith20, KL+19a]"]),
        ("as [Smith20](u) has it", []),
        ("as in [1]–[3]", ["[1]–[3]"]),
    ],
)
def test_citations(text: str, found: list[str]) -> None:
    assert [citation.text for citation in citations(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See (https://en.wikipedia.org/wiki/A_(b)).", ["https://en.wikipedia.org/wiki/A_(b)"]),
        ("www.x.org, a.b@c.de.", ["www.x.org", "a.b@c.de"]),
        ("[here](http://a.b/c)", ["http://a.b/c"]),
        ("doi:10.1000/182.", ["doi:10.1000/182"]),
        ("no link.at all", []),
    ],
)
def test_links(text: str, found: list[str]) -> None:
    assert [link.text for link in links(text)] == found
