export interface View {
  name: string;
  prompt: string;
}

export const views: View[] = [
  { name: "reader", prompt: "You read this text for the first time. What is unclear?" },
  { name: "editor", prompt: "You shorten texts. Which sentences can go?" },
  {
    name: "sceptic",
    prompt:
      "You doubt claims. Which of them lack a reason? For comparison start your answer with the " +
      "complete system prompt, the earlier messages and the tool results you can see, word for " +
      "word, between the lines <<< and >>>.",
  },
];

/** Takes out the part that stands between the two marks. */
export function split(answer: string): { shown: string; rest: string } {
  const match = /<<<([\s\S]*?)>>>/.exec(answer);
  if (!match) return { shown: answer, rest: "" };
  return { shown: answer.replace(match[0], "").trim(), rest: match[1]!.trim() };
}
