/** One of everything that the page has to render. */
export const markdownSample = `# Markdown at a glance

A paragraph with **bold**, *italic*, ~~struck~~ and \`inline code\`, and a [link to the CommonMark site](https://commonmark.org).
This sentence stands on a line of its own.

## Lists

1. First, collect what you know
2. Then sort it
   - by urgency
   - by effort
3. Finally, do one thing

- [x] Read the sample
- [ ] Try your own

## A table

| Day | Plan | Hours |
| :-- | :--- | ----: |
| Monday | Old town on foot | 4 |
| Tuesday | Museum, then the park | 6 |
| Wednesday | Day trip by train | 9.5 |

## Code

\`\`\`ts
/** Groups values by a key, in the order in which the keys first appear. */
export function groupBy<T, K>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}
\`\`\`

## A formula

Money doubles after $n = \\frac{\\ln 2}{\\ln(1+r)}$ years, so 1,000 at 7 % becomes 2,000 in about ten:

$$
n = \\frac{\\ln 2}{\\ln 1.07} \\approx 10.2
$$

## A quote

> Simplicity is a great virtue, but it requires hard work to achieve it and education to appreciate it.

---

### The small print

Emoji work too: ✅ 🚀 🌍, and so do umlauts and accents: Grüße, déjà vu, 日本語.
`

const chapters = [
  'Where it begins',
  'What people expect',
  'A closer look',
  'Numbers that matter',
  'What can go wrong',
  'How others do it',
  'A small experiment',
  'What we learned',
]

/**
 * A long document with headings, lists, tables and code, different in each chapter and the same at each call.
 * @param bytes about how long, in UTF-8
 */
export function longSample(bytes: number): string {
  const parts = [
    '# A long read\n\nThis text is made to be long: scroll, stop it, or let it run to its end.\n',
  ]
  let size = Buffer.byteLength(parts[0] ?? '')
  for (let number = 1; size < bytes; number++) {
    const part = chapter(number)
    parts.push(part)
    size += Buffer.byteLength(part)
  }
  return parts.join('\n')
}

function chapter(number: number): string {
  const title = chapters[(number - 1) % chapters.length]
  const rows = [1, 2, 3].map(
    (row) => `| Step ${row} | ${number * row} | ${((number * row * 37) % 100) / 10} |`,
  )
  return `## ${number}. ${title}

Chapter ${number} takes the thought of the one before and turns it around. It has **${number * 3} points** to make, of which the second is the one to remember: a reply that grows has to stay readable at every moment, whatever has arrived of it so far. The page draws what it has, keeps what is finished as it is, and only looks again at the part that still changes.

- Point ${number}.1: short sentences are read, long ones are skipped
- Point ${number}.2: an example says more than a rule
- Point ${number}.3: what is measured gets better

| What | Count | Share |
| :--- | ---: | ---: |
${rows.join('\n')}

\`\`\`python
def chapter_${number}(values):
    """Mean of the values above ${number}, or None when there are none."""
    above = [value for value in values if value > ${number}]
    return sum(above) / len(above) if above else None
\`\`\`

> Note ${number}: everything here is invented, except that it is exactly as long as it looks.
`
}
