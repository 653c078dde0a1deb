import { splitWords } from './words.ts'

/** One sample in each language: the demo knows no other program. */
const samples = {
  typescript: {
    name: 'TypeScript',
    code: `export function topWords(text: string, count = 10): [string, number][] {
  const seen = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/\\p{L}+/gu)) seen.set(word, (seen.get(word) ?? 0) + 1)
  return [...seen].sort(([, a], [, b]) => b - a).slice(0, count)
}`,
  },
  python: {
    name: 'Python',
    code: `import re
from collections import Counter


def top_words(text, count=10):
    return Counter(re.findall(r"[^\\W\\d_]+", text.lower())).most_common(count)`,
  },
}

const asksForCode = /\b(code|function|script|snippet|program|regex|typescript|javascript|python|implement)\b/i

/** Answers a request for code with a working sample, in the language that the message names. */
export function writeCodeReply(message: string): string | undefined {
  if (!asksForCode.test(message)) return undefined
  const language = splitWords(message).includes('python') ? 'python' : 'typescript'
  const { name, code } = samples[language]
  return [
    `Here is a start in ${name}: the most frequent words of a text.`,
    `\`\`\`${language}\n${code}\n\`\`\``,
    'Tell a real model the input you have and the output you want, and it fits the code to that.',
  ].join('\n\n')
}
