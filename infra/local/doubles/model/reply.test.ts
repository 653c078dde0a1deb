import { expect, it } from 'vitest'
import { parseChatRequest } from '../../../../test/support/model-server/chat-request.ts'
import { ownReply } from '../../../../test/support/model-server/server.ts'

const tool = (name: string, description: string, properties: object = {}, required: string[] = []) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required } },
})

const gmailSearch = tool(
  'gmail_search_messages',
  'Searches the e-mails of the inbox',
  {
    query: { type: 'string', description: 'search term' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  },
  ['limit'],
)
const gmailSend = tool(
  'gmail_send_message',
  'Sends an e-mail',
  {
    to: { type: 'array', items: { type: 'string', format: 'email' } },
    subject: { type: 'string' },
    body: { type: 'string' },
    urgent: { type: 'boolean' },
  },
  ['to', 'subject', 'body', 'urgent'],
)
const weather = tool(
  'get_weather',
  'Current weather of a city',
  { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
  ['city', 'unit'],
)

type MessageInput = string | { role: string; content: string | null; [member: string]: unknown }

function reply(conversation: MessageInput[], tools: object[] = [], options: object = {}) {
  const messages = conversation.map((message, index) =>
    typeof message === 'string'
      ? { role: index % 2 === 0 ? 'user' : 'assistant', content: message }
      : message,
  )
  return ownReply(parseChatRequest({ model: 'juno-demo', messages, tools, ...options }))
}

function text(conversation: MessageInput[], tools: object[] = []): string {
  const response = reply(conversation, tools)
  if (response.kind !== 'text') throw new Error(`a ${response.kind} reply`)
  return response.text
}

it('says that it is a demo', () => {
  const questions = [
    'Who are you?',
    'Are you a real AI?',
    'what model is this',
    'Hello!',
    'What can you help me with?',
  ]
  const replies = questions.map((question) => text([question]))
  expect(replies.filter((answer) => !answer.includes('built-in demo model'))).toEqual([])
  expect(text(['What can you help me with?'])).toMatch(/OPENAI_API_KEY.*OPENAI_BASE_URL/s)
})

it.each(['Show my recent emails', 'What integrations do I have?', 'check my calendar please'])(
  'says that nothing is connected: %s',
  (message) => {
    expect(text([message])).toMatch(/[Nn]othing is connected yet/)
  },
)

it.each([
  ['de', 'Wobei kannst du mir helfen?', 'Here is what I can help you with'],
  ['fr', 'Montre-moi mes e-mails récents', 'Open **Tools** at the top'],
  ['ja', 'どの連携を使えますか？', 'Nothing is connected yet'],
])('knows the prompts that the page offers in other languages: %s', (_language, message, reply) => {
  expect(text([message])).toContain(reply)
})

it('is thanked', () => {
  expect(text(['Hi', 'Hello', 'Thanks a lot'])).toContain('You are welcome')
})

it('lists its tools when it is asked what is connected', () => {
  expect(text(['What integrations do I have?'], [weather])).toMatch(
    /`get_weather`: Current weather of a city/,
  )
})

it.each([
  ['What did I say first?', '> My name is Ada'],
  ['what did i just ask?', '> Plan a week in Rome'],
  ['What is my name?', '**Ada**'],
  ['Summarize our conversation so far', '- My name is Ada\n- Plan a week in Rome'],
])('recalls the conversation: %s', (question, expected) => {
  expect(text(['My name is Ada', 'Hello Ada', 'Plan a week in Rome', 'Here', question])).toContain(expected)
})

it('writes the requested formats with the words of the message', () => {
  expect(text(['Plan a week in Rome'])).toMatch(/a week in Rome[\s\S]*\| 3 \|/)
  expect(text(['Write a debounce function'])).toContain('```typescript\nexport function topWords')
  expect(text(['write python code for that'])).toContain('```python\nimport re')
  expect(text(['Draw a bar chart of late orders'])).toContain('```vega-lite\n{')
  expect(text(['Show me markdown'])).toMatch(/^# [\s\S]*\| :-- \|[\s\S]*```ts[\s\S]*\n> /)
  expect(text(['My garden has too much shade for roses'])).toMatch(/\*\*garden\*\*.*\*\*roses\*\*/)
})

it('gives the same request the same reply', () => {
  for (const message of ['My garden has too much shade', '/long', 'Explain tides'])
    expect(text([message])).toBe(text([message]))
})

it('continues its own last message on request, with the missing part', () => {
  const [whole, beginning] = [text(['Explain tides']), text(['Explain tides']).slice(0, 40)]
  const continueRequest = 'Your last message was cut off. Go on exactly where it ended.'
  expect(beginning + text(['Explain tides', beginning, continueRequest])).toBe(whole)
  expect(reply(['/short 5', text(['/short 5']).slice(0, 9), continueRequest])).not.toHaveProperty('maxTokens')
})

it('supports the commands', () => {
  expect(reply(['/short 5'])).toMatchObject({ kind: 'text', maxTokens: 5 })
  expect(text(['/echo  two  words '])).toBe('two  words')
  expect(text(['/empty'])).toBe('')
  expect(Buffer.byteLength(text(['/long']))).toBeGreaterThan(60_000)
  expect(Buffer.byteLength(text(['/long']))).toBeLessThan(64_000)
  expect(Buffer.byteLength(text(['/long 5']))).toBeLessThan(7_000)
  expect(reply(['/fail'])).toEqual({ kind: 'error', status: 500 })
  expect(reply(['/fail 429'])).toEqual({ kind: 'error', status: 429 })
  expect(reply(['/fail mid'])).toMatchObject({ kind: 'cut' })
  expect(reply(['/hang'])).toEqual({ kind: 'hang' })
  expect(reply(['/slow 60000'])).toMatchObject({ kind: 'slow', silenceMs: 9_500 })
  expect(text(['/unknown thing'])).toMatch(/demo model/)
})

it('chooses the tool with the most words of the message and fills its parameters from the message', () => {
  const tools = [weather, gmailSend, gmailSearch]
  expect(reply(['Search my emails for "quarterly report"'], tools)).toEqual({
    kind: 'tools',
    calls: [{ name: 'gmail_search_messages', arguments: { query: 'quarterly report', limit: 10 } }],
  })
  expect(
    reply(['Send an email to ann@example.com with subject "Lunch" saying see you at noon'], tools),
  ).toEqual({
    kind: 'tools',
    calls: [
      {
        name: 'gmail_send_message',
        arguments: { to: ['ann@example.com'], subject: 'Lunch', body: 'see you at noon', urgent: false },
      },
    ],
  })
  const plain =
    'Send an email to ann@example.com with the subject Lunch on Friday and the text See you at noon'
  expect(reply([plain], tools)).toMatchObject({
    calls: [{ arguments: { to: ['ann@example.com'], subject: 'Lunch on Friday', body: 'See you at noon' } }],
  })
  expect(reply(['What is the weather in the city of Paris in fahrenheit?'], tools)).toEqual({
    kind: 'tools',
    calls: [{ name: 'get_weather', arguments: { city: 'paris', unit: 'fahrenheit' } }],
  })
})

it('takes values from the message that have a parameter’s format', () => {
  const withPattern = (pattern: string) => ({ type: 'string', pattern })
  const sms = tool('send_sms', 'Sends a text message', {
    to: withPattern('^\\+[1-9]\\d{6,14}$'),
    body: { type: 'string' },
    shop: withPattern('^\\w+$'),
    broken: withPattern('('),
    from: withPattern('^\\+[1-9]\\d{6,14}$'),
  })
  expect(reply(['Send the text message to +15550100300. Shop "7", saying Hello'], [sms])).toEqual({
    kind: 'tools',
    calls: [{ name: 'send_sms', arguments: { to: '+15550100300', body: 'Hello', shop: '7' } }],
  })
  const event = tool('create_event', 'Creates an event', {
    startTime: withPattern('^2'),
    endTime: { type: 'string' },
  })
  expect(reply(['Create the event from 2026-12-01 until 2026-12-03'], [event])).toMatchObject({
    calls: [{ arguments: { startTime: '2026-12-01', endTime: '2026-12-03' } }],
  })
  expect(reply(['Create the event on 2026-12-01'], [event])).toEqual({
    kind: 'tools',
    calls: [{ name: 'create_event', arguments: { startTime: '2026-12-01' } }],
  })
})

it('calls no tool if none fits or none is allowed, and a required one always', () => {
  expect(reply(['Plan a week in Rome'], [gmailSend])).toMatchObject({ kind: 'text' })
  const question = 'What is the weather in Paris?'
  expect(reply([question], [weather], { tool_choice: 'none' })).toMatchObject({ kind: 'text' })
  expect(reply(['Hi'], [gmailSearch, weather], { tool_choice: 'required' })).toMatchObject({ kind: 'tools' })
  const choice = { type: 'function', function: { name: 'get_weather' } }
  expect(reply(['Hi'], [gmailSearch, weather], { tool_choice: choice })).toMatchObject({
    calls: [{ name: 'get_weather' }],
  })
})

it('writes from the results of tools, including errors', () => {
  const turn = (result: string): MessageInput[] => [
    'Show my recent emails',
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'gmail_search_messages', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: result },
  ]
  const list = JSON.stringify({ data: { messages: [{ from: 'ann', subject: 'a|b' }] } })
  expect(text(turn(list))).toContain('`gmail_search_messages` found 1 message:')
  expect(text(turn(list))).toContain('| From | Subject |\n| --- | --- |\n| ann | a\\|b |')
  expect(text(turn('[]'))).toBe('`gmail_search_messages` found no entries.')
  const to = 'me@example.org'
  const rows = [
    { from: 'ann', to, sentAt: '2026-03-04T09:30:00.000Z' },
    { from: 'ben', to, sentAt: '2026-03-05T10:00:00Z' },
  ]
  // what is the same in every row says nothing, and moments are written as people write them
  expect(text(turn(JSON.stringify(rows)))).toBe(
    '`gmail_search_messages` found 2 entries:\n\n| From | Sent at |\n| --- | --- |\n| ann | 4 Mar 2026, 09:30 |\n| ben | 5 Mar 2026, 10:00 |',
  )
  expect(text(turn('{"success":false,"error":"The token expired"}'))).toContain(
    'did not work: The token expired',
  )
  expect(text(turn('Error: The box is full'))).toContain('did not work: The box is full')
  expect(text(turn('Error: The user denied this call.'))).toContain('`gmail_search_messages` does nothing')
  expect(text(turn('plain words'))).toContain('> plain words')
  expect(text(turn('{"id":"7","sent":true}'))).toContain('says:\n\n- **Sent**: yes')
})

const memoryTools = [
  tool('remember', 'Stores one fact', { text: { type: 'string' } }, ['text']),
  tool('forget', 'Deletes one memory', { id: { type: 'string' }, text: { type: 'string' } }, ['id', 'text']),
]
const withMemories = (...texts: string[]) =>
  `<notes>\n${texts.map((each, index) => JSON.stringify({ id: `m${index}`, text: each })).join('\n')}\n</notes>`

it('remembers and forgets with the tools for it, and answers from memory', () => {
  const memories = withMemories('I live in Oslo', 'I have two cats')
  const ask = (message: string, notes = memories) =>
    reply([{ role: 'user', content: `${message}\n\n${notes}` }], memoryTools)
  expect(ask('Please remember that I live in Oslo.', withMemories())).toEqual({
    kind: 'tools',
    calls: [{ name: 'remember', arguments: { text: 'I live in Oslo' } }],
  })
  expect(ask('Forget that I have cats')).toEqual({
    kind: 'tools',
    calls: [{ name: 'forget', arguments: { id: 'm1', text: 'I have two cats' } }],
  })
  expect(ask('What do you remember about me?')).toMatchObject({
    text: expect.stringContaining('- I live in Oslo\n- I have two cats') as string,
  })
  expect(ask('How many cats do I have?')).toMatchObject({
    text: 'From what I remember: I have two cats.',
  })
  expect(text(['Remember that I live in Oslo'])).toContain('switch on **Memory** in Settings')
})

it('searches for a tool that is not offered, and calls it', () => {
  const searchTools = tool('search_tools', 'Finds tools', { query: { type: 'string' } }, ['query'])
  const callTool = tool(
    'call_tool',
    'Calls a tool that was found',
    { name: { type: 'string' }, arguments: { type: 'object' } },
    ['name', 'arguments'],
  )
  const tools = [searchTools, callTool]
  const question = 'Search my e-mails for "invoices"'
  expect(reply([question], tools)).toEqual({
    kind: 'tools',
    calls: [{ name: 'search_tools', arguments: { query: question } }],
  })
  const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } })
  const searchResults = (...matches: { function: object }[]) => [
    { role: 'user', content: question },
    { role: 'assistant', content: null, tool_calls: [call('s', 'search_tools')] },
    {
      role: 'tool',
      tool_call_id: 's',
      content: JSON.stringify({ tools: matches.map((match) => match.function) }),
    },
  ]
  expect(reply(searchResults(gmailSend, gmailSearch), tools)).toEqual({
    kind: 'tools',
    calls: [
      {
        name: 'call_tool',
        arguments: { name: 'gmail_search_messages', arguments: { query: 'invoices', limit: 10 } },
      },
    ],
  })
  // what the search returned is no part of the reply
  const conversation = [
    ...searchResults(gmailSearch),
    { role: 'assistant', content: null, tool_calls: [call('c', 'gmail_search_messages')] },
    { role: 'tool', tool_call_id: 'c', content: '{"data":[]}' },
  ]
  expect(text(conversation, tools)).toBe('`gmail_search_messages` found no entries.')
  expect(text(searchResults(), tools)).not.toContain('search_tools')
  expect(text(['What is a good name for a cat?'], tools)).not.toBe('')
})

const fileTools = [tool('read_attachment', 'Reads a file'), tool('search_files', 'Searches files')]
const withFile = (note: string, question: string) =>
  `<attachment id="f1" name="plan.txt" note="${note}">\nThe plan begins.\n</attachment>\n\n${question}`
const part =
  'given: the first 16 of 90,000 characters; read on with read_attachment, or find passages with search_files'

it.each([
  [part, 'What does the rest say?', [{ name: 'read_attachment', arguments: { id: 'f1', from: 16 } }]],
  [part, 'Find the budget', [{ name: 'search_files', arguments: { wordings: ['Find the budget'] } }]],
  [
    'given whole',
    'Call the tool read_attachment, from character 40 on.',
    [{ name: 'read_attachment', arguments: { id: 'f1', from: 40 } }],
  ],
])('reads and searches files of which it has a part, or when asked: %s, %s', (note, question, expected) => {
  expect(reply([withFile(note, question)], fileTools)).toEqual({ kind: 'tools', calls: expected })
})

it('knows the files of a project or an assistant, and does not take them for words of the user', () => {
  const files = `The files of the assistant:\n\n<attachment id="f1" name="Contract.pdf" note="given whole">\nContract between Ada and Ben\n\nIt ends on 31 December 2027.\n</attachment>`
  const had = 'I have the files of the assistant.'
  const answer = text([files, had, 'When does the contract end?'])
  expect(answer).toContain('In **Contract.pdf** it says:')
  expect(answer).toContain('> It ends on 31 December 2027.')
  expect(text([files, had, 'Tell me about bicycles, please.'])).not.toContain('The files of')
})

it('calculates with the tables of files, and says what the rows beside the reply show', () => {
  const tables = `Tables for query_table:
sales: 5,000 rows (A1:C5001; left out: row 5002, the sum of the others: “Total”)
columns: region text, amount number € ("Umsatz, €"; 12 empty), day date
first rows: ["Nord",1.5,"2026-03-31"]`
  const message = `<attachment id="f1" name="sales.csv" note="given whole">\n${tables}\n</attachment>\n\nWhat is the total amount of each region?`
  const queryTool = tool('query_table', 'Runs one statement')
  expect(reply([message], [...fileTools, queryTool])).toEqual({
    kind: 'tools',
    calls: [
      {
        name: 'query_table',
        arguments: {
          sql: 'SELECT region, sum(amount) AS total, count(*) AS rows FROM sales GROUP BY region ORDER BY 2 DESC',
        },
      },
    ],
  })
  const results = [
    message,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'query_table', arguments: '{}' } }],
    },
    {
      role: 'tool',
      tool_call_id: 'c',
      content: '{"columns":["region","total"],"rows":[["Nord",1.5],["Süd",2]],"total_rows":2}',
    },
  ]
  expect(text(results, [queryTool])).toBe(
    'Of 2 rows, **Nord** comes first (total 1.50), and **Süd** last (total 2).',
  )
})

it('calculates with the tables of a file that is given whole, and quotes none of what is said of them', () => {
  const file = `<attachment id="f1" name="sales.csv" note="given whole">
Tables for query_table:
sales: 2 rows (A1:B3)
columns: region text, amount number

Region;Amount
Nord;1,5
Süd;2
</attachment>`
  const tools = [...fileTools, tool('query_table', 'Runs one statement')]
  expect(reply([`${file}\n\nWhat is the total amount of each region?`], tools)).toMatchObject({
    kind: 'tools',
    calls: [{ name: 'query_table' }],
  })
  expect(text([`${file}\n\nWhat does it say?`], tools)).toBe(
    '**sales.csv** (given whole) has 7 words here. It begins:\n\n> Region;Amount Nord;1,5 Süd;2',
  )
})

it('does not choose its file tools for connected tools', () => {
  expect(reply(['List the files in Google Drive'], fileTools).kind).toBe('text')
})

const getEmails = tool(
  'gmail_get_emails',
  'Read e-mails. Lists recent e-mails (emails, mails) of the inbox, newest first, or those that a search finds.',
  {
    maxResults: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'how many e-mails' },
    query: { type: 'string', description: 'Gmail search, such as from:ann is:unread newer_than:7d' },
  },
)
const sendEmail = tool(
  'gmail_send_email',
  'Sends an e-mail (email, mail) from the account of the user.',
  {
    to: { type: 'string', description: 'recipients: e-mail addresses with commas between them' },
    subject: { type: 'string', description: 'one line' },
    body: { type: 'string', description: 'plain text' },
  },
  ['to', 'subject', 'body'],
)
const unreadMails = {
  data: {
    emails: [
      { from: 'Ann <ann@example.org>', subject: 'Budget', snippet: 'It is ready. Can you check it?' },
      { from: 'shop@example.net', subject: 'Order', snippet: 'It is on its way.' },
      { from: 'cy@example.org', subject: 'Re: Rome', snippet: 'When do you arrive?' },
      { from: 'nobody', subject: 'No address', snippet: 'Who are you?' },
    ],
    more: false,
  },
}
const withResults = (question: string, ...results: [name: string, content: unknown][]): MessageInput[] => [
  { role: 'user', content: question },
  ...results.flatMap(([name, content], index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content: JSON.stringify(content) },
  ]),
]

it.each([
  'Read my unread mail, draft the answers, and ask me before you send',
  'Lies meine ungelesenen Mails seit dem letzten Lauf, entwirf die Antworten in meinem Ton und frag mich, bevor du sie sendest.',
])('reads mails and answers those that ask something: %s', (question) => {
  const tools = [sendEmail, getEmails]
  expect(reply([question], tools)).toEqual({
    kind: 'tools',
    calls: [{ name: 'gmail_get_emails', arguments: { query: 'is:unread' } }],
  })
  expect(reply(withResults(question, ['gmail_get_emails', unreadMails]), tools)).toEqual({
    kind: 'tools',
    calls: [
      {
        name: 'gmail_send_email',
        arguments: {
          to: 'ann@example.org',
          subject: 'Re: Budget',
          body: expect.stringMatching(/^Hello Ann,.*Can you check it\?/s) as string,
        },
      },
      {
        name: 'gmail_send_email',
        arguments: {
          to: 'cy@example.org',
          subject: 'Re: Rome',
          body: expect.stringMatching(/^Hello,.*When do you arrive\?/s) as string,
        },
      },
    ],
  })
  const sent = withResults(
    question,
    ['gmail_get_emails', unreadMails],
    ['gmail_send_email', { sent: true, to: 'ann@example.org' }],
  )
  expect(text(sent, tools)).toContain('ann@example.org')
})

it('reads one mail whole whose text is asked for', () => {
  const question = 'Summarize the last mail of Ann'
  const wholeTool = tool('gmail_get_emails', 'Lists recent e-mails (emails, mails) of the inbox.', {
    id: { type: 'string', description: 'id of one e-mail of a list, to read it whole' },
    query: { type: 'string', description: 'Gmail search, such as from:ann is:unread newer_than:7d' },
  })
  const tools = [wholeTool, sendEmail]
  expect(reply([question], tools)).toEqual({
    kind: 'tools',
    calls: [{ name: 'gmail_get_emails', arguments: { query: 'from:Ann' } }],
  })
  const row = { id: 'm1', from: 'Ann <ann@example.org>', subject: 'Budget', snippet: 'It is ready.' }
  const list = ['gmail_get_emails', { emails: [row, { ...row, id: 'm2' }], more: false }] as [string, unknown]
  expect(reply(withResults(question, list), tools)).toEqual({
    kind: 'tools',
    calls: [{ name: 'gmail_get_emails', arguments: { id: 'm1' } }],
  })
  const mail = { ...row, attachments: [{ name: 'a.csv', type: 'text/csv' }], text: 'It is ready.\nAnn' }
  expect(text(withResults(question, list, ['gmail_get_emails', { emails: [mail] }]), tools)).toMatch(
    /Budget[^]*> It is ready\.\n> Ann[^]*- a\.csv/,
  )
  // a tool that only lists, and nothing to read
  expect(text(withResults(question, list), [getEmails])).toContain('found 2 emails')
  expect(text(withResults(question, ['gmail_get_emails', { emails: [] }]), tools)).toContain(
    'found no emails',
  )
})

it('finds the tools that read and send mails where they are not offered', () => {
  const searchTools = tool('search_tools', 'Finds tools', { query: { type: 'string' } }, ['query'])
  const tools = [searchTools, tool('call_tool', 'Calls a tool that was found')]
  const question = 'Read my unread mail and draft the answers'
  const foundTool = ({ function: found }: typeof getEmails) => ({ tools: [found] })
  const read = ['gmail_get_emails', unreadMails] as const
  expect(reply([question], tools)).toMatchObject({
    calls: [{ name: 'search_tools', arguments: { query: question } }],
  })
  expect(reply(withResults(question, ['search_tools', foundTool(getEmails)]), tools)).toMatchObject({
    calls: [
      { name: 'call_tool', arguments: { name: 'gmail_get_emails', arguments: { query: 'is:unread' } } },
    ],
  })
  const turn = [['search_tools', foundTool(getEmails)] as [string, unknown], [...read] as [string, unknown]]
  expect(reply(withResults(question, ...turn), tools)).toMatchObject({ calls: [{ name: 'search_tools' }] })
  expect(reply(withResults(question, ...turn, ['search_tools', foundTool(sendEmail)]), tools)).toMatchObject({
    calls: [
      { name: 'call_tool', arguments: { name: 'gmail_send_email', arguments: { to: 'ann@example.org' } } },
      { name: 'call_tool', arguments: { name: 'gmail_send_email', arguments: { to: 'cy@example.org' } } },
    ],
  })
  // a search that found nothing is not repeated
  expect(reply(withResults(question, ...turn, ['search_tools', { tools: [] }]), tools).kind).toBe('text')
})

it('creates the schedule that reads mails, and does not read them at once', () => {
  const createSchedule = tool('create_schedule', 'Creates a schedule')
  const question = 'Every Monday at 8 read my unread mail and draft the answers'
  expect(reply([question], [getEmails, sendEmail, createSchedule])).toMatchObject({
    calls: [{ name: 'create_schedule', arguments: { prompt: 'Read my unread mail and draft the answers' } }],
  })
})

it('sends nothing where no mail asks anything, none was found, or the mailbox cannot be read', () => {
  const question = 'Check my inbox and reply to everyone'
  const ask = (result: unknown) =>
    text(withResults(question, ['gmail_get_emails', result]), [getEmails, sendEmail])
  expect(ask({ emails: [{ from: 'shop@example.net', subject: 'Order', snippet: 'On its way.' }] })).toContain(
    'there is nothing to send',
  )
  expect(ask({ emails: [] })).toContain('found no emails')
  expect(ask({ success: false, error: 'The token expired' })).toContain('did not work: The token expired')
  expect(text([question], [])).toContain('nothing is connected yet')
  expect(text([question], [getEmails])).not.toBe('')
})
