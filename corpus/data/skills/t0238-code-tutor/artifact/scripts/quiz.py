"""Ask one question of a topic."""

import argparse
import json
import pathlib
import random

# Questions are kept in JSON, so that teams can add theirs.
QUESTIONS = pathlib.Path(__file__).with_name("questions.json")


def pick(topic, seed):
    questions = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    fitting = [item for item in questions if topic in ("", item["topic"])]
    return random.Random(seed).choice(fitting) if fitting else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topic", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answer", type=int)
    args = parser.parse_args()
    question = pick(args.topic, args.seed)
    if question is None:
        parser.error(f"no question about {args.topic}")
    if args.answer is None:
        print(question["code"])
        for number, choice in enumerate(question["choices"], start=1):
            print(f"{number}. {choice}")
        return
    print("right" if args.answer == question["answer"] else "not quite")
    print(question["why"])


if __name__ == "__main__":
    main()
