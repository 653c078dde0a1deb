import { expect, it } from 'vitest'
import { buildConversation } from './build-conversation.ts'
import { createLeftOutCounter } from './left-out.ts'
import { readJuno } from './read-juno.ts'

const at = (minute: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + minute * 60_000).toISOString()
const say = (
  turn: number | undefined,
  role: string,
  content: string,
  more: Record<string, unknown> = {},
) => ({
  id: `${turn} ${role}`,
  role,
  content,
  attachments: [],
  tool_calls: [],
  created_at: at(turn ?? 0),
  ...(turn !== undefined && { turn }),
  ...more,
})
const turn = (number: number | undefined, words: string) => [
  say(number, 'user', words),
  say(number, 'assistant', `re ${words}`),
]
const conversation = (fields: Record<string, unknown>) => ({
  id: 's1',
  title: 'Tea',
  created_at: at(0),
  updated_at: at(60),
  message_count: 4,
  ...fields,
})
function read(fields: Record<string, unknown>) {
  const leftOut = createLeftOutCounter()
  const built = buildConversation(readJuno(conversation(fields), leftOut), leftOut)
  return { built, users: built?.messages.filter(({ role }) => role === 'user'), leftOut: leftOut.getCounts() }
}

it('an export of this product keeps its versions, and what is shown', () => {
  // 2 was edited (4); then 2 was shown again, and continued (5)
  const { built, users, leftOut } = read({
    forks: [
      { turn: 4, version_of: 2 },
      { turn: 5, after: 3 },
    ],
    messages: [...turn(1, 'a'), ...turn(2, 'b'), ...turn(3, 'c'), ...turn(5, 'e')],
    other_versions: turn(4, 'd'),
    pinned: true,
    archived: true,
    project_id: 'p1',
  })
  expect(users?.map(({ turn: number, content }) => `${number} ${content}`)).toEqual([
    '1 a',
    '2 b',
    '3 c',
    '4 e',
    '5 d',
  ])
  expect(built).toMatchObject({
    source_id: 's1',
    forks: [{ turn: 5, version_of: 2 }],
    head: 4,
    message_count: 8,
    pinned: true,
    archived: true,
    project_id: 'p1',
  })
  expect(leftOut).toEqual({})
})

it('turns that were deleted are passed over', () => {
  const { built, users } = read({
    forks: [{ turn: 9, after: 4 }],
    messages: [...turn(1, 'a'), ...turn(3, 'c'), ...turn(9, 'i')],
  })
  expect(users?.map(({ content }) => content)).toEqual(['a', 'c', 'i'])
  expect(built?.forks).toBeUndefined()
})

it('a reply keeps its reasoning, sources and end; files are asked for; what has no place is named', () => {
  const { built, leftOut } = read({
    model: 'm1',
    messages: [
      say(1, 'user', 'a', {
        attachments: [
          { id: 'f1', name: 'a.txt' },
          { id: 'f2', name: 'b.txt', isDeleted: true },
        ],
      }),
      say(1, 'assistant', 're a', {
        reasoning: { text: 'Hm.', durationMs: 5 },
        sources: [{ url: 'https://a.example', title: 'A' }, { url: 'javascript:alert(1)' }],
        ended: 'stopped',
        tool_calls: [
          {
            tool: 'asana.create_task',
            action: 'Create a task',
            integration: 'Asana',
            parameters: { name: 'Call' },
            result: {
              success: true,
              data: { id: 1 },
              app: { mcp_id: 'm1' },
              links: [{}],
              notes: ['Left out.'],
            },
            elicited: [{ message: 'Which project?', action: 'accept' }],
          },
          {
            tool: 'query_table',
            parameters: null,
            result: { data: { rows: [], sources: [{ table: 'a', file_id: 'f1', key: 'k' }] }, totalRows: 3 },
          },
          { tool: 'big', result: { success: false, error: 'x'.repeat(100_000), data: 'y'.repeat(100_000) } },
          { tool: '' },
        ],
        notices: [{ code: 'tools_unavailable' }],
        incomplete_reason: 'length',
        usage: { inputTokens: 3 },
      }),
    ],
  })
  expect(built?.messages).toMatchObject([
    { files: [{ id: 'f1', name: 'a.txt' }] },
    {
      reasoning: { text: 'Hm.', durationMs: 5 },
      sources: [{ url: 'https://a.example', title: 'A' }],
      ended: 'stopped',
      tool_calls: [
        {
          tool: 'asana.create_task',
          action: 'Create a task',
          integration: 'Asana',
          parameters: { name: 'Call' },
          result: { success: true, data: { id: 1 } },
        },
        {
          tool: 'query_table',
          action: '',
          parameters: {},
          result: { success: false, data: { rows: [], sources: [{ table: 'a' }] }, totalRows: 3 },
        },
      ],
    },
  ])
  expect(leftOut).toEqual({
    toolCalls: { count: 1, names: ['big'] },
    callExtras: { count: 4, names: ['Asana'] },
    notices: { count: 2, names: [], hasOthers: true },
    replyUsage: { count: 1, names: [], hasOthers: true },
    conversationChoices: { count: 1, names: [], hasOthers: true },
  })
})

it('of an export of an earlier release, which does not say where versions belong, they are counted', () => {
  const { users, leftOut } = read({
    messages: [...turn(undefined, 'a'), ...turn(undefined, 'b')],
    other_versions: turn(undefined, 'c'),
  })
  expect(users?.map(({ turn: number, content }) => [number, content])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
  expect(leftOut).toEqual({ versions: { count: 1, names: [], hasOthers: true } })
})

it('ends where turns follow themselves, or endless ones without messages', () => {
  const count = 20_000
  const { users } = read({
    forks: [
      { turn: 2, after: 2 },
      { turn: 3, version_of: 3, after: 1e12 },
      ...Array.from({ length: count }, (_, index) => ({ turn: 1e6 + index, after: 9e5 })),
    ],
    messages: [
      ...turn(2, 'b'),
      ...turn(3, 'c'),
      ...Array.from({ length: count }, (_, index) => say(1e6 + index, 'user', 'x')),
    ],
  })
  expect(users?.length).toBeGreaterThan(1)
})
