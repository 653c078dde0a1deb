import { excerpt, textHash, topicWords } from './words.ts'

/**
 * Answers by the kind of request, always with the message's own words. The demo knows no facts, and says so when asked for one.
 */
export function writeCannedReply(message: string, earlier: readonly string[]): string {
  const replyKinds: [RegExp, (subject: string) => string][] = [
    [/\b(?:plan|itinerary|schedule|organi[sz]e)\s+(.+)/i, planReply],
    [/\b(?:compare|difference between)\s+(.+)/i, compareReply],
    [/\b(?:ideas?|brainstorm|suggestions?|names?)\s+(?:for|about|on)\s+(.+)/i, ideasReply],
    [/\b(?:draft|write|compose)\b.*?\b(?:e-?mail|letter|message|note)\b(.*)/i, letterReply],
    [/\b(?:explain|how (?:do|does|can|to)|what (?:is|are)|why (?:is|are|do|does))\s+(.+)/i, explainReply],
  ]
  for (const [pattern, write] of replyKinds) {
    const subject = pattern.exec(message)?.[1]
    if (subject !== undefined) return write(excerpt(subject.replace(/[\s?!.]+$/, ''), 120))
  }
  return openingReply(message, earlier)
}

function planReply(subject: string): string {
  const days = /\b(week|seven days)\b/i.test(subject) ? 7 : /\bweekend\b/i.test(subject) ? 2 : 3
  const themes = [
    ['Arrive and get an overview', 'Write down what matters most'],
    ['The one thing you came for', 'Book or reserve what is scarce'],
    ['Something slow', 'Leave the afternoon open'],
    ['A trip out', 'Check times the evening before'],
    ['What you postponed', 'Ask someone who knows'],
    ['A favourite again', 'Keep an hour for the unexpected'],
    ['Wrap up', 'Note what you would do again'],
  ]
  const rows = themes.slice(0, days).map(([theme, todo], day) => `| ${day + 1} | ${theme} | ${todo} |`)
  return [
    `Here is an outline for **${subject}**:`,
    ['| Day | Focus | To do |', '| --: | :-- | :-- |', ...rows].join('\n'),
    'Tell me your budget, your pace and what you do not want to miss, and I will fill in the details.',
  ].join('\n\n')
}

function compareReply(subject: string): string {
  const sides = subject.split(/\s+(?:and|or|vs\.?|versus)\s+/i)
  // "to" and "with" separate the sides only if nothing else does: "moving to Berlin and staying here"
  const [left = subject, right = 'the alternative'] = (
    sides.length > 1 ? sides : subject.split(/\s+(?:with|to)\s+/i)
  ).map((side) => (side.charAt(0).toUpperCase() + side.slice(1)).replaceAll('|', '/'))
  return [
    `**${left}** against **${right}**, by the questions that usually decide:`,
    [
      `| Question | ${left} | ${right} |`,
      '| :-- | :-- | :-- |',
      '| Cost to begin | what you already have | what you would have to get |',
      '| Cost to change later | how tied in you are today | how tied in you would be |',
      '| Who has to learn something | you | everyone else |',
    ].join('\n'),
    'Give each row a weight from 1 to 3. Where the sums are close, take what is easier to undo.',
  ].join('\n\n')
}

function ideasReply(subject: string): string {
  return [
    `Five directions for **${subject}**:`,
    [
      `1. **The obvious one**, done well: what would people expect of ${subject}?`,
      '2. **The opposite**: turn the most common assumption around.',
      '3. **The smallest version** that is still worth something.',
      '4. **Something borrowed** from a field that has nothing to do with it.',
      '5. **The one you would keep** if only one could stay.',
    ].join('\n'),
    'Pick two, and I will work them out.',
  ].join('\n\n')
}

function letterReply(subject: string): string {
  const about = subject.replace(/^\W*(?:to|about|for|that|saying)\b\s*/i, '').trim() || 'our next step'
  return [
    'A draft to start from:',
    `> **Subject:** ${about}\n>\n> Hello,\n>\n> I am writing about ${about}. In short: here is where we stand, here is what I suggest, and here is what I need from you.\n>\n> Could you let me know by Friday whether that works for you?\n>\n> Best regards`,
    'Shall I make it shorter, warmer, or more formal?',
  ].join('\n\n')
}

function explainReply(subject: string): string {
  return [
    `I am a small demo model without knowledge of the world, so I cannot teach you about **${subject}** itself. This is how I would take it apart:`,
    [
      `1. **What it is for.** Which problem would exist without ${subject}?`,
      '2. **What it is made of.** Name three parts and what passes between them.',
      '3. **Where it ends.** Think of a case it does not cover.',
    ].join('\n'),
    'With a real model behind `OPENAI_API_KEY` you get the facts as well.',
  ].join('\n\n')
}

const openings = [
  'That is worth a closer look',
  'Let us think this through',
  'Good that you bring this up',
  'There is more than one side to this',
]

/** What to say to anything else: the message's own topics, tied to what came before. */
function openingReply(message: string, earlier: readonly string[]): string {
  const topics = topicWords(message).slice(0, 4)
  const opening = openings[textHash(message) % openings.length]
  const topicList = topics.length > 0 ? topics.map((topic) => `**${topic}**`).join(', ') : 'what you wrote'
  const before = earlier.at(-1)
  return [
    `${opening}: you wrote “${excerpt(message, 160)}”. What stands out to me is ${topicList}.`,
    before === undefined
      ? 'It helps to say what a good outcome would look like, what you have tried already, and when it has to be done.'
      : `Before that you said “${excerpt(before, 100)}”. Taken together: which of the two would you settle first, and what would be different afterwards?`,
    'Ask me for a plan, a comparison, a draft or some code, and I can do more. I am the built-in demo model, so my facts are limited to this conversation.',
  ].join('\n\n')
}
