"""Pages."""

from jinja2 import DictLoader, Environment, select_autoescape

SOURCES = {
    "form.html": """<!doctype html><title>{{ form.name }}</title>
<form method="post">{% for f in form.fields %}<label>{{ f }} <input name="{{ f }}"></label>{% endfor %}
<button>Send</button></form>""",
    "plain.html": "<!doctype html><title>Thank you</title><p>Thank you for \u201c{{ answer.subject }}\u201d.</p>",
}

env = Environment(loader=DictLoader(SOURCES), autoescape=select_autoescape())


def form(form) -> str:
    return env.get_template("form.html").render(form=form)


def thanks(form, answer: dict) -> str:
    if not form.thanks:
        return env.get_template("plain.html").render(answer=answer)
    return env.from_string(form.thanks).render(answer=answer)
