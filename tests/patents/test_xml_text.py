import codecs
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError
from isogloss.patents.xml_text import parse_fragment, parse_xml, text_of

Case = dict[str, dict[str, Any]]


@pytest.mark.parametrize("case", ["P01"], indirect=True)
@pytest.mark.parametrize("name", ["01", "02", "03", "04", "05"])
def test_mixed_content(case: Case, name: str) -> None:
    assert text_of(parse_fragment(case[name]["input"])) == case[name]["expected"]


def test_comments_instructions_and_their_tails() -> None:
    text = 'of<!-- EPO <DP n="2"> --> a<?page 3?> <b>dye</b>stuff<claim-text>and</claim-text>more'
    assert text_of(parse_fragment(text)) == "of a dyestuff and more"


def test_deep_nesting_costs_no_stack() -> None:
    depth = 2_000
    text = "<claim-text>a" * depth + "</claim-text>" * depth
    assert text_of(parse_fragment(text)) == " ".join("a" * depth)


@pytest.mark.parametrize("case", ["P04"], indirect=True)
def test_bytes_are_read_by_their_own_declaration(case: Case) -> None:
    documents = {
        "01": codecs.BOM_UTF8 + b'<?xml version="1.0" encoding="UTF-8"?><a>x</a>',
        "02": '<?xml version="1.0" encoding="UTF-16"?><a>é</a>'.encode("utf-16"),
        "03": '<?xml version="1.0" encoding="ISO-8859-1"?><a>Säure</a>'.encode("latin-1"),
        "04": case["04"]["input"].encode(),
    }
    for name, content in documents.items():
        assert text_of(parse_xml(content)) == case[name]["expected"]


@pytest.mark.parametrize("case", ["P04"], indirect=True)
@pytest.mark.parametrize("name", ["05", "06", "07"])
def test_what_needs_entities_is_refused(case: Case, name: str) -> None:
    with pytest.raises(DataError):
        parse_xml(
            case[name]["input"]
            .removesuffix(" without DTD")
            .removesuffix(" (bare ampersand)")
            .encode()
        )


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ('<!DOCTYPE a SYSTEM "a.dtd"><a>S&auml;ure</a>', "auml"),
        ('<!DOCTYPE a SYSTEM "a.dtd">\n<a b="S&auml;ure">x</a>', "'auml' not defined, line 2"),
        ('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "entities of its own"),
        ('<!DOCTYPE a [<!ENTITY e "x">]><a>unused</a>', "entities of its own"),
        (
            '<!DOCTYPE a [<!ENTITY % e SYSTEM "file:///etc/hostname"> %e;]><a/>',
            "entities of its own",
        ),
        ("<a>1</a>\n<a>2</a>", "line 2"),
        ('<?xml version="1.0"?><a>1</a>\n<?xml version="1.0"?><a>2</a>', "line 2"),
        ("", "empty"),
        ("<a>", "line 1"),
    ],
)
def test_refusals_name_what_is_wrong_in_one_line(content: str, named: str) -> None:
    with pytest.raises(DataError, match=named) as caught:
        parse_xml(content.encode())
    assert "\n" not in str(caught.value)
    assert "<string>" not in str(caught.value)


def test_an_external_entity_is_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    content = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><a>&e;</a>'
    with pytest.raises(DataError) as caught:
        parse_xml(content.encode())
    assert "secret" not in str(caught.value).replace(secret.name, "")


def test_a_doctype_alone_is_no_fault() -> None:
    assert text_of(parse_xml(b'<!DOCTYPE a SYSTEM "nowhere.dtd"><a>x &amp; y</a>')) == "x & y"
