import { splitWords } from './words.ts'

type Language = 'TypeScript' | 'Python'

interface Recipe {
  words: readonly string[]
  what: string
  note: string
  code: Record<Language, string>
}

const recipes: readonly Recipe[] = [
  {
    words: ['fibonacci'],
    what: 'a generator of the Fibonacci numbers',
    note: 'It keeps only the last two numbers, so it needs no memory to speak of and stays fast for large counts.',
    code: {
      TypeScript: `export function* fibonacci(count: number): Generator<bigint> {
  let [current, next] = [0n, 1n]
  for (let index = 0; index < count; index++) {
    yield current
    ;[current, next] = [next, current + next]
  }
}

console.log([...fibonacci(10)].join(', '))`,
      Python: `def fibonacci(count):
    current, following = 0, 1
    for _ in range(count):
        yield current
        current, following = following, current + following


print(list(fibonacci(10)))`,
    },
  },
  {
    words: ['debounce', 'throttle'],
    what: 'a debounced function',
    note: 'Each call starts the wait anew; only the last call of a burst gets through.',
    code: {
      TypeScript: `export function debounce<Args extends unknown[]>(action: (...args: Args) => void, waitMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (...args: Args) => {
    clearTimeout(timer)
    timer = setTimeout(() => action(...args), waitMs)
  }
}`,
      Python: `from threading import Timer


def debounce(wait_seconds):
    def decorate(action):
        timer = None

        def debounced(*args, **kwargs):
            nonlocal timer
            if timer:
                timer.cancel()
            timer = Timer(wait_seconds, action, args, kwargs)
            timer.start()

        return debounced

    return decorate`,
    },
  },
  {
    words: ['palindrome', 'reverse'],
    what: 'a palindrome check',
    note: 'Case, spaces and punctuation are ignored, and characters beyond ASCII are compared whole.',
    code: {
      TypeScript: `export function isPalindrome(text: string): boolean {
  const letters = [...text.toLowerCase().matchAll(/[\\p{L}\\p{N}]/gu)].map(([letter]) => letter)
  return letters.every((letter, index) => letter === letters.at(-1 - index))
}`,
      Python: `def is_palindrome(text):
    letters = [letter for letter in text.casefold() if letter.isalnum()]
    return letters == letters[::-1]`,
    },
  },
  {
    words: ['fetch', 'http', 'request', 'api', 'download'],
    what: 'a JSON request with a time-out',
    note: 'A status outside 2xx counts as a failure, and so does an answer that takes longer than ten seconds.',
    code: {
      TypeScript: `export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(\`\${url} answered \${response.status}\`)
  return response.json()
}`,
      Python: `import json
from urllib.request import urlopen


def fetch_json(url):
    with urlopen(url, timeout=10) as response:
        return json.load(response)`,
    },
  },
  {
    words: ['sort', 'order'],
    what: 'a sort by several keys',
    note: 'The first key that differs decides; the input stays as it was.',
    code: {
      TypeScript: `export function sortedBy<T>(values: readonly T[], ...keys: ((value: T) => number | string)[]): T[] {
  return values.toSorted((a, b) => {
    for (const key of keys) {
      if (key(a) < key(b)) return -1
      if (key(a) > key(b)) return 1
    }
    return 0
  })
}`,
      Python: `def sorted_by(values, *keys):
    return sorted(values, key=lambda value: tuple(key(value) for key in keys))`,
    },
  },
]

const anyTask: Recipe = {
  words: [],
  what: 'a start: the most frequent words of a text',
  note: 'Tell me the input you have and the output you want, and I fit it to that.',
  code: {
    TypeScript: `export function topWords(text: string, count = 10): [string, number][] {
  const seen = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/\\p{L}+/gu)) seen.set(word, (seen.get(word) ?? 0) + 1)
  return [...seen].sort(([, a], [, b]) => b - a).slice(0, count)
}`,
    Python: `import re
from collections import Counter


def top_words(text, count=10):
    return Counter(re.findall(r"[^\\W\\d_]+", text.lower())).most_common(count)`,
  },
}

const asksForCode = /\b(code|function|script|snippet|program|regex|typescript|javascript|python|implement)\b/i

/** Answers a request for code with a working sample, in the language that the message names. */
export function writeCodeReply(message: string): string | undefined {
  if (!asksForCode.test(message)) return undefined
  const words = new Set(splitWords(message))
  const recipe = recipes.find((candidate) => candidate.words.some((word) => words.has(word))) ?? anyTask
  const language: Language = words.has('python') ? 'Python' : 'TypeScript'
  return [
    `Here is ${recipe.what} in ${language}:`,
    `\`\`\`${language.toLowerCase()}\n${recipe.code[language]}\n\`\`\``,
    recipe.note,
  ].join('\n\n')
}
