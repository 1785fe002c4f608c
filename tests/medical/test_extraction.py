"""A letter counts when the reply commits to it, in nine languages."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.medical.extraction import Question, extract_letter
from isogloss.medical.panel import LANGUAGES

FOUR = dict.fromkeys("ABCD", "")


def extracted(reply: str | None, language: str | None = None, **options: str) -> str | None:
    return extract_letter(reply, Question(options or FOUR, language))


@pytest.mark.parametrize("case", ["L01"], indirect=True)
@pytest.mark.parametrize("language", [None, *LANGUAGES])
def test_case_l01(case: dict[str, Any], language: str | None) -> None:
    assert len(case) == 20
    for name, check in case.items():
        assert extracted(check["input"], language) == check["expected"], (name, check["input"])


COMMITTED = {
    "en": [
        ("The correct answer is:\n\n**B) Aspirin**", "B"),
        ("**Answer:** B", "B"),
        ("Answer → (C)", "C"),
        ('{"answer": "D"}', "D"),
        ("<answer>B</answer>", "B"),
        (r"Thus $\boxed{\text{C}}$.", "C"),
        ("I would choose (B), since it is safer.", "B"),
        ("I'd go with C.", "C"),
        ("Option B is correct.", "B"),
        ("(D) is the best answer; A is only a symptom.", "D"),
        ("The best option would be C", "C"),
        ("Some thoughts on the case.\n\nB", "B"),
        ("B\n\nExplanation: A is wrong, C is rare.", "B"),
        ("D: Hepatitis B", "D"),
        ("Option C.", "C"),
        ("Answer: A because it binds first", "A"),
        ("Answer: B. A is incorrect because it is slow.", "B"),
        ("The answer is B, not C.", "B"),
        ("Answer B", "B"),
        ("A: rare\nB: common\nC: no\nD: no\nAnswer: B", "B"),
        ("Answer: A or B?\nFinal answer: B", "B"),
        ("The answer is not A. The answer is C.", "C"),
        ("Ｂ", "B"),
        ("（Ｃ）", "C"),
        ("【D】", "D"),
        ("Ⓑ", "B"),
        ("**𝐂**", "C"),
        ("Answer：Ｂ", "B"),
        ("`A`", "A"),
        ("B)", "B"),
        ("[B]", "B"),
        ("B: B", "B"),
        ("Final Answer: b", "B"),
        ("Is the answer A? No, the answer is B.", "B"),
        ("The answer is probably B.", "B"),
        ("The answer must be D.", "D"),
        ("B is the most appropriate answer.", "B"),
        ("Therefore, D.", "D"),
        ("Correct Answer: Option C", "C"),
        ("I am torn between A and B, but I'd choose B.", "B"),
        ("Answer: Option A is incorrect. Option D is correct.", "D"),
        ("Answer: B (A is wrong)", "B"),
        ("**B**: it acts first", "B"),
    ],
    "de": [
        ("Die richtige Antwort ist B.", "B"),
        ("Die Antwort lautet (C), weil A nicht passt.", "C"),
        ("Antwort: **D**", "D"),
        ("Lösung: B", "B"),
        ("Ich wähle C.", "C"),
        ("B ist richtig.", "B"),
        ("Antwort A ist falsch. Richtig ist B.", "B"),
    ],
    "es": [
        ("La respuesta correcta es la B.", "B"),
        ("Respuesta: C) 12 mg", "C"),
        ("La opción correcta es A porque actúa antes.", "A"),
        ("D es la respuesta correcta", "D"),
        ("Respuesta correcta: B", "B"),
    ],
    "pt": [
        ("A resposta correta é a alternativa B.", "B"),
        ("Resposta: C", "C"),
        ("Gabarito: letra D", "D"),
        ("A alternativa correta é a letra A.", "A"),
        ("Considera-se que a resposta é B.", "B"),
    ],
    "ja": [
        ("答え：Ｂ", "B"),
        ("正解はBです。", "B"),
        ("最終的な答えは「C」です。", "C"),
        ("Bが正しい。", "B"),
        ("選択肢D", "D"),
        ("回答: A", "A"),
        ("Ｂ．アスピリン", "B"),
        ("Aではなく、Bが正解です。", "B"),
    ],
    "zh": [
        ("答案：B", "B"),
        ("正确答案是（C）。", "C"),
        ("故选D。", "D"),
        ("应选 A", "A"),
        ("本题选B，因为A不正确", "B"),
        ("B正确，A错误", "B"),
        ("答案为Ｂ", "B"),
        ("C、12小时内", "C"),
        ("A选项错误，B选项正确。", "B"),
    ],
    "th": [
        ("คำตอบคือ B", "B"),
        ("คำตอบที่ถูกต้องคือข้อ C", "C"),
        ("ตอบ D", "D"),
        ("ข้อ A", "A"),
        ("คำตอบ: B", "B"),
    ],
    "sw": [
        ("Jibu sahihi ni B.", "B"),
        ("Jibu: C", "C"),
        ("Jibu ni D kwa sababu ni salama.", "D"),
        ("Chaguo sahihi ni A", "A"),
        ("B ndiyo jibu sahihi", "B"),
    ],
    "zu": [
        ("Impendulo efanele ithi B.", "B"),
        ("Impendulo: C", "C"),
        ("Impendulo ngu-D", "D"),
        ("Impendulo u-A", "A"),
        ("Ngikhetha B", "B"),
    ],
}

OPEN = {
    "en": [
        "Answer: A and C",
        "Answer: (B) or (C)",
        "Answer: A/C",
        "Answer: B, C",
        "Answer:\nA\nC",
        "I don't think the answer is B.",
        "If the answer was A, the patient would be worse.",
        "The answer could be B.",
        "Answer: A patient with fever needs fluids",
        "The answer is a beta blocker.",
        "Answer: I am not sure.",
        "Answer: N/A",
        "Answer: B-cell lymphoma",
        "Answer: B12",
        "Answer: K+",
        "Answer: E",
        "Answer: A\nOn reflection this is wrong.\nC",
        "A: fever\nB: cough",
        "B is incorrect.",
        "Answer: B is wrong.",
        "Hepatitis B",
        "Vitamin C deficiency",
        "The temperature was 37 °C.",
        "A is correct. B is correct.",
        "Answer options: A, B, C, D",
        "The answer is B if she is pregnant.",
        "Answer: A\nAnswer: E",
        "D'accord",
        "Grade C-D",
        "<think>Answer: B</think>",
        "<think>The answer is B",
        "Both A and C",
        "AB",
        "Answer: none",
        "37℃",
        "Is the answer B?",
        "The correct options are A and D",
        "Answer: B/C",
    ],
    "de": ["Die Antwort ist nicht B.", "Antwort: A oder B", "Falls die Antwort A ist: warten.",
           "Antwortmöglichkeit", "Antwort A beschreibt ein Symptom."],
    "es": ["A. y C.", "Respuesta: A y C", "No creo que la respuesta sea B",
           "Si la respuesta es A, hay que esperar.", "A menudo se ve fiebre."],
    "pt": ["Resposta: B ou C", "Se a resposta é A, espere.", "A resposta não é B.",
           "A paciente tem febre."],
    "ja": ["答えはBではない", "答えはAでもBでもない", "答えはBかもしれません",
           "答え：AとC", "もし答えがAなら", "わかりません"],
    "zh": ["答案不是B", "不能选B", "答案可能是B", "答案：A和C",
           "如果答案是A，则应等待", "B不正确", "不选B"],
    "th": ["คำตอบไม่ใช่ B", "คำตอบคือ A หรือ B", "ถ้าคำตอบคือ A ต้องรอ", "B ไม่ถูกต้อง"],
    "sw": ["Jibu si B", "Jibu ni A au B", "Kama jibu ni A, subiri", "Sijui"],
    "zu": ["Impendulo: A noma B", "Uma impendulo ithi A, linda", "Angazi"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "reply", "expected"),
    [(lang, reply, letter) for lang, pairs in COMMITTED.items() for reply, letter in pairs],
)
def test_a_commitment_is_found(language: str, reply: str, expected: str) -> None:
    assert extracted(reply, language) == expected
    assert extracted(reply) == expected, "whatever the prompt's language"


@pytest.mark.parametrize(
    ("language", "reply"), [(lang, reply) for lang, replies in OPEN.items() for reply in replies]
)
def test_nothing_is_guessed(language: str, reply: str) -> None:
    assert extracted(reply, language) is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<think>\nAnswer: A\n</think>\n\nB", "B"),
        ("Answer: A, surely</think>\nAnswer: C", "C"),
        ("<think></think>D", "D"),
        ("## Thinking\n\nSo it is A.\n\n## Final Response\n\nAnswer: B", "B"),
        ("<|channel|>analysis<|message|>A?<|end|><|channel|>final<|message|>B<|return|>", "B"),
        ("<thinking>Answer: A</thinking>I cannot help with that.", None),
        ("<think>first <think>A</think> then B</think> C", "C"),
        ("◁think▷A◁/think▷B", "B"),
    ],
)
def test_reasoning_is_not_the_answer(reply: str, expected: str | None) -> None:
    assert extracted(reply, "en") == expected


def test_terms_of_the_item_are_no_labels() -> None:
    options = {"A": "E. coli", "B": "C. difficile", "C": "D-dimer", "D": "B cells", "E": "12 mg"}
    question = Question(options, "en", "A woman has hepatitis B. Which is due to vitamin A excess?")
    assert extract_letter("E. coli", question) is None
    assert extract_letter("The answer is C. difficile", question) is None
    assert extract_letter("Answer: B cells", question) is None
    assert extract_letter("Answer: A. E. coli", question) == "A"
    assert extract_letter("Answer: E. 12 mg", question) == "E"
    assert extract_letter("B. C. difficile", question) == "B"
    assert extract_letter("Answer: D. B cells", question) == "D"
    assert extract_letter("B", Question({"A": "x", "B": "B. cereus"})) == "B"
    assert extract_letter("B. cereus", Question({"A": "x", "B": "B. cereus"})) == "B"


def test_a_label_before_its_own_text_is_no_article() -> None:
    question = Question({"A": "Aspirin", "B": "A beta blocker"}, "en")
    assert extract_letter("Answer: A Aspirin", question) == "A"
    assert extract_letter("Answer: A beta blocker", question) is None
    assert extract_letter("Answer: B a beta blocker", question) == "B"


def test_only_the_items_own_labels_count() -> None:
    ten = dict.fromkeys("ABCDEFGHIJ", "")
    assert extract_letter("Answer: J", Question(ten, "en")) == "J"
    assert extract_letter("I", Question(ten, "en")) == "I"
    assert extract_letter("Answer: I think so", Question(ten, "en")) is None
    assert extract_letter("Answer: C", Question({"A": "Entailment", "B": "Contradiction"})) is None
    assert extract_letter(None, Question(ten)) is None


@given(st.text(max_size=200))
def test_any_text_gives_a_label_or_nothing(text: str) -> None:
    assert extracted(text, "en") in (None, "A", "B", "C", "D")


@given(
    st.sampled_from("ABCD"), st.sampled_from(LANGUAGES), st.sampled_from(["{}", "({})", "**{}**"])
)
def test_a_bare_letter_is_found_in_any_dress(letter: str, language: str, dress: str) -> None:
    assert extracted(dress.format(letter), language) == letter
    assert extracted(dress.format(chr(ord(letter) + 0xFEE0)), language) == letter


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: B" + " " * 50_000 + "x",
        "Answer: B" + "\n " * 50_000 + "x",
        "Answer: " + "the option " * 20_000 + "B",
        "(" * 50_000 + "B",
        "*" * 50_000,
        "Answer: B" + "*" * 50_000,
        "A and " * 20_000,
        "A. " * 20_000,
        "<think>" * 20_000,
        "答案" * 50_000 + "B",
    ],
)
def test_long_runs_end_soon(reply: str) -> None:
    started = time.process_time()
    extracted(reply, "en")
    assert time.process_time() - started < 5


# One denied and one affirmed, in both orders where the language has both.
CONTRASTS = {
    "en": ["The answer is not {no} but {yes}.", "Answer: {yes}, not {no}.", "Not {no}, but {yes}."],
    "de": ["Die Antwort ist nicht {no}, sondern {yes}.", "Die Antwort ist {yes}, nicht {no}."],
    "es": ["La respuesta no es {no} sino {yes}.", "La respuesta es {yes}, no {no}."],
    "pt": ["A resposta não é {no}, mas {yes}.", "A resposta é {yes}, não {no}."],
    "ja": [
        "答えは{no}ではなく{yes}です",
        "{no}ではなく、{yes}です。",
        "正解は「{no}」ではなく「{yes}」",
    ],
    "zh": ["答案不是{no}，而是{yes}。", "答案是{yes}，不是{no}。", "答案不是{no}而是{yes}"],
    "th": ["คำตอบไม่ใช่ {no} แต่เป็น {yes}", "คำตอบคือ {yes} ไม่ใช่ {no}"],
    "sw": ["Jibu si {no} bali {yes}.", "Jibu ni {yes}, si {no}."],
    "zu": ["Impendulo hhayi {no} kodwa {yes}.", "Impendulo akuyona i-{no} kodwa u-{yes}."],
}


@pytest.mark.parametrize(
    ("language", "form"), [(lang, form) for lang, forms in CONTRASTS.items() for form in forms]
)
@pytest.mark.parametrize(("no", "yes"), [("A", "B"), ("C", "A"), ("D", "C"), ("Ａ", "Ｂ")])
def test_of_a_contrast_the_affirmed_letter_counts(
    language: str, form: str, no: str, yes: str
) -> None:
    reply, plain = form.format(no=no, yes=yes), chr(ord(yes) - 0xFEE0) if yes > "z" else yes
    assert extracted(reply, language) == plain
    assert extracted(reply) in (plain, None), "never the denied one"
    assert extracted(reply, "en") in (plain, None), "in whatever language it was asked"


DENIED_OR_DOUBLE = {
    "en": [
        "A. C.", "(A) (C)", "A) C)", "**A** **C**", "Answer: (A)(C)", "A. B. C. D.",
        "Answer: A (wrong), therefore B", "All except A", "Answer: A × B",
        "Answer: **A**\n\nActually, I made an error. It should be C.", "A. No, wait: C.",
        "Answer: A. On second thought, C fits better.", "If the answer is not A but B, wait.",
    ],
    "de": ["Antwort: A (falsch), also B", "Antwort: A. Nein, es muss C sein.", "(A) (C)"],
    "es": ["Respuesta: A (incorrecta)", "Respuesta: A. No, me equivoqué: es C."],
    "pt": ["Resposta: A (incorreta)", "Resposta: A. Na verdade, é C."],
    "ja": ["答えはA以外です", "A以外", "答え：A（誤り）", "答えはAです。訂正します、Cです。",
           "答え：(A)(C)"],
    "zh": ["答案：A以外", "答案：A（错误）", "正确答案是A，不对，是B", "答案：(A)(C)"],
    "th": ["คำตอบ: A (ผิด)", "คำตอบคือ A ขอโทษ ควรเป็น C", "คำตอบ: (A)(C)"],
    "sw": ["Jibu: A (si sahihi)", "Jibu ni A. Hapana, ni C.", "Jibu: (A)(C)"],
    "zu": ["Impendulo: A (iphutha)", "Impendulo ithi A. Cha, u-C.", "Impendulo: (A)(C)"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "reply"),
    [(lang, reply) for lang, replies in DENIED_OR_DOUBLE.items() for reply in replies],
)
def test_a_denied_double_or_withdrawn_letter_is_no_answer(language: str, reply: str) -> None:
    assert extracted(reply, language) is None


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: B. (A) is incorrect, and (C) is rare.",
        "Answer: B\n\nActually, A is wrong because it is slow.",
        "The answer is A. Wait, the answer is B.",
        "Answer: B. Wait two hours before the next dose.",
        "**B**\n\nNote: vitamin C does not help.",
    ],
)
def test_a_letter_behind_the_answer_changes_nothing_by_itself(reply: str) -> None:
    assert extracted(reply, "en") == "B"


RELATIONS = {"A": "Entailment", "B": "Neutral", "C": "Contradiction"}


@pytest.mark.parametrize("case", ["L03"], indirect=True)
def test_a_relation_said_by_name_is_its_letter(case: dict[str, Any]) -> None:
    for name in ("03", "04", "05", "06"):
        given = case[name]["input"]
        letter = extract_letter(given["predicted"], Question(RELATIONS))
        right = RELATIONS.get(letter or "", "").casefold() == given["gold"]
        assert ("right" if right else "wrong") == case[name]["expected"], name


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Hb is low.\n\nSo this is a contradiction.", "C"),
        ("Das ist ein Widerspruch.", "C"),
        ("Entailment is what the premise gives.\nNeutral", "B"),
        ("contradiction or neutral", None),
        ("If it were neutral, more would be said.", None),
        ("Is it a contradiction?", None),
        ("A would be entailment.", None),
        ("We must choose between three.", None),
        ("The premise entails it. " + "word " * 40, None),
        ("Answer: B. It is no contradiction.", "B"),
        ("A and C are both entailment.", None),
    ],
)
def test_what_counts_as_said_by_name(reply: str, expected: str | None) -> None:
    assert extract_letter(reply, Question(RELATIONS, "en")) == expected


def test_only_relations_are_taken_by_name() -> None:
    options = {"A": "Aspirin", "B": "Neutral", "C": "Contradiction"}
    assert extract_letter("neutral", Question(options, "en")) is None
    two = {"A": "Entailment", "B": "Contradiction"}
    assert extract_letter("It contradicts the premise.", Question(two, "en")) == "B"
    assert extract_letter("neutral", Question(two, "en")) is None
