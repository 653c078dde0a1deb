import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { chatGptOf, claudeOf, isoAt, node, text, type Json } from '../../../../test/support/export-samples.ts'
import { readExport, toFile } from '../../../../test/support/read-export.ts'
import type { BuiltConversation } from './build-conversation.ts'
import { DownloadListError, openExport } from './read-export.ts'

// What users of other importers and exporters reported as lost or wrong; each row names a public thread.

const readOne = async (conversation: Json) => {
  const { conversations, leftOut } = await readExport(
    toFile(JSON.stringify([conversation]), 'conversations.json'),
  )
  return { conversation: conversations[0], reply: conversations[0]?.messages.at(-1), leftOut }
}

// ChatGPT
const question = node('q', null, text('user', 1, 'A question'))
const answer = (words: string, more: Json = {}) => node('a', 'q', text('assistant', 9, words, more))
const call = (id: string, parent: string, recipient: string, content: Json, minute: number) =>
  node(
    id,
    parent,
    text('assistant', minute, '', { recipient, content: { content_type: 'code', ...content } }),
  )
const result = (id: string, parent: string, more: Json, minute: number) =>
  node(id, parent, text('tool', minute, 'Done.', { author: { role: 'tool' }, ...more }))
const cite = (name: string) => `\ue200cite\ue202${name}\ue201`
const cited = (words: string, metadata: Json) => chatGptOf([question, answer(words, { metadata })])

/** A document of the canvas and a change of it. */
const canvas = (content: string, ...updates: Json[]) =>
  chatGptOf([
    question,
    call(
      'c',
      'q',
      'canmore.create_textdoc',
      { text: JSON.stringify({ name: 'List', type: 'code/python', content }) },
      2,
    ),
    result('ct', 'c', { metadata: { canvas: { textdoc_id: 'd1' } } }, 3),
    node('a1', 'ct', text('assistant', 4, 'Written.')),
    node('q2', 'a1', text('user', 5, 'Change it')),
    call('u', 'q2', 'canmore.update_textdoc', { text: JSON.stringify({ updates }) }, 6),
    result('ut', 'u', { metadata: { canvas: { textdoc_id: 'd1' } } }, 7),
    node('a2', 'ut', text('assistant', 8, 'Changed.')),
  ])
const listOf = (content: string) => `**List**\n\n\`\`\`python\n${content}\n\`\`\`\n\nChanged.`

describe('a reply of ChatGPT has', () => {
  it.each<[string, string, Json, { content: string; sources?: unknown; leftOut?: Json }]>([
    [
      'Laumss/loominary#17',
      'the links of its marks',
      cited(`Late ${cite('turn0search3')}.`, {
        content_references: [
          {
            matched_text: cite('turn0search3'),
            type: 'grouped_webpages',
            items: [{ title: 'Times [of] ferries', url: 'https://a.example/x_(y)' }],
          },
        ],
      }),
      {
        content: 'Late ([Times of ferries](https://a.example/x_%28y%29)).',
        sources: [{ url: 'https://a.example/x_(y)', title: 'Times [of] ferries' }],
      },
    ],
    [
      'Hugo-COLLIN/SaveMyPhind-conversation-exporter#300',
      'each page of a mark of several',
      cited(`Late${cite('a')}.`, {
        content_references: [
          {
            matched_text: cite('a'),
            items: [
              {
                title: 'A',
                url: 'https://a.example',
                supporting_websites: [{ title: 'B', url: 'https://b.example' }],
              },
            ],
          },
        ],
      }),
      {
        content: 'Late ([A](https://a.example), [B](https://b.example)).',
        sources: [
          { url: 'https://a.example', title: 'A' },
          { url: 'https://b.example', title: 'B' },
        ],
      },
    ],
    [
      'pionxzh/chatgpt-exporter#259',
      'the pages of marks in brackets',
      cited('Late【8†source】 or not【9†x】, 【日本】.', {
        citations: [{ metadata: { url: 'https://a.example', title: 'A', extra: { cited_message_idx: 8 } } }],
      }),
      {
        content: 'Late ([A](https://a.example)) or not, 【日本】.',
        sources: [{ url: 'https://a.example', title: 'A' }],
        leftOut: { citations: 1 },
      },
    ],
    [
      'rashidazarang/chatgpt-chat-exporter#35',
      'its spaces, whatever a reference has matched',
      cited('a b c', { content_references: [{ matched_text: ' ', type: 'sources_footnote', sources: [] }] }),
      { content: 'a b c' },
    ],
    [
      'rashidazarang/chatgpt-chat-exporter#27',
      'the pages at its end',
      cited('Late.', {
        content_references: [
          {
            matched_text: ' ',
            type: 'sources_footnote',
            sources: [{ title: 'A', url: 'https://a.example' }],
          },
        ],
      }),
      { content: 'Late.', sources: [{ url: 'https://a.example', title: 'A' }] },
    ],
    [
      'of a stranger',
      'no address but of the web',
      cited(`Late${cite('a')}.`, {
        content_references: [
          { matched_text: cite('a'), items: [{ title: 'A', url: 'javascript:alert(1)' }] },
        ],
      }),
      { content: 'Late.', leftOut: { citations: 1 } },
    ],
    [
      'Nagi-ovo/voyager#778',
      'the last state of a document, in its language',
      canvas('print(1)\n', { pattern: '.*', multiple: true, replacement: 'print("$&\\n")\n' }),
      { content: listOf('print("$&\\n")') },
    ],
    [
      'pionxzh/chatgpt-exporter#260',
      'a document with a change of one place',
      canvas('a = 1 + 2\nb', { pattern: 'a = 1 \\+ 2', multiple: false, replacement: 'a = 3' }),
      { content: listOf('a = 3\nb') },
    ],
    [
      'a pattern that is not escaped',
      'the change where the text has it',
      canvas('f(x)\nf(x)', { pattern: 'f(x)', multiple: true, replacement: 'g' }),
      { content: listOf('g\ng') },
    ],
    ...(
      [
        ['within a line', 'b.*', false, 'a\nbx\nc bx', 'a\nZ\nc bx'],
        ['in each line', 'b.*', true, 'a\nbx\nc bx', 'a\nZ\nc Z'],
        ['across lines', '(?s)# A.*# B', false, '# A\n1\n# B\n2', 'Z\n2'],
        ['as little as possible', 'a[\\s\\S]*?c', true, 'a1c a2\nc', 'Z Z'],
        ['with escaped characters', 'f\\(x\\)\\n.*', false, 'f(x)\ny', 'Z'],
        ['at the end', '\\Z', false, 'a', 'aZ'],
        ['at the start', '^', false, 'a', 'Za'],
      ] as const
    ).map(([place, pattern, multiple, before, after]): [string, string, Json, { content: string }] => [
      `a change ${place}`,
      'the changed document',
      canvas(before, { pattern, multiple, replacement: 'Z' }),
      { content: listOf(after) },
    ]),
    ...['(a)\\1', 'a|b', '[ab]', 'a{2}', 'x.*', '\\w'].map(
      (pattern): [string, string, Json, { content: string; leftOut: Json }] => [
        `a change with the pattern ${pattern}`,
        'a change that could not be repeated',
        canvas('aab', { pattern, multiple: true, replacement: '' }),
        { content: 'Changed.', leftOut: { documentChanges: 1 } },
      ],
    ),
    [
      'a pattern that takes endless time',
      'a change that could not be repeated, by its name',
      canvas('a'.repeat(50), { pattern: '(a+)+$x', multiple: true, replacement: '' }),
      { content: 'Changed.', leftOut: { documentChanges: 1 } },
    ],
    [
      'rashidazarang/chatgpt-chat-exporter#29',
      'the names of files behind links',
      chatGptOf([question, answer('Done: [Download](sandbox:/mnt/data/my%20budget.xlsx)')]),
      { content: 'Done: Download (my budget.xlsx)' },
    ],
    [
      'pionxzh/chatgpt-exporter#328',
      'its thoughts, and not as text',
      chatGptOf([
        question,
        node('t', 'q', {
          author: { role: 'assistant' },
          content: {
            content_type: 'thoughts',
            thoughts: [{ summary: 'Look', content: 'Hm.' }, { content: 'Yes.' }],
          },
        }),
        node('r', 't', {
          author: { role: 'assistant' },
          content: { content_type: 'reasoning_recap', content: 'Thought for 7s' },
          metadata: { finished_duration_sec: 7 },
        }),
        node('a', 'r', text('assistant', 3, 'It is.')),
      ]),
      { content: 'It is.' },
    ],
    [
      'pionxzh/chatgpt-exporter#309',
      'what tools did, by what a person would miss',
      chatGptOf([
        question,
        call('c', 'q', 'python', { text: '1' }, 2),
        result('r', 'c', { content: { content_type: 'execution_output', text: '1' } }, 3),
        call('w', 'r', 'web.run', { text: '{}' }, 4),
        result('wr', 'w', {}, 5),
        call('x', 'wr', 'api_tool.call', { text: '{}' }, 6),
        node('a', 'x', text('assistant', 9, 'Done.')),
      ]),
      { content: 'Done.', leftOut: { codeRuns: 1, webSearches: 1, toolCalls: '1: api_tool.call' } },
    ],
  ])('%s: %s', async (_, __, conversation, { content, sources, leftOut = {} }) => {
    const found = await readOne(conversation)
    expect(found.reply?.content).toBe(content)
    expect(found.reply?.sources).toEqual(sources)
    expect(found.leftOut).toEqual(leftOut)
  })

  it('pionxzh/chatgpt-exporter#328: the time that it thought', async () => {
    const thoughts = { content_type: 'thoughts', thoughts: [{ content: 'Hm.' }] }
    const { reply } = await readOne(
      chatGptOf([
        question,
        node('t', 'q', { author: { role: 'assistant' }, content: thoughts }),
        node('r', 't', {
          author: { role: 'assistant' },
          content: { content_type: 'reasoning_recap' },
          metadata: { finished_duration_sec: 7 },
        }),
        node('a', 'r', text('assistant', 3, 'It is.', { status: 'finished_partial_completion' })),
      ]),
    )
    expect(reply).toMatchObject({ reasoning: { text: 'Hm.', durationMs: 7_000 }, ended: 'stopped' })
  })

  it('pionxzh/chatgpt-exporter#191: the charts that a program drew', async () => {
    const output = { message_type: 'image', image_url: 'file-service://file-Chart1' }
    const { reply } = await readOne(
      chatGptOf([
        question,
        call('c', 'q', 'python', { text: 'plot()' }, 2),
        result('r', 'c', { metadata: { aggregate_result: { messages: [output] } } }, 3),
        node('a', 'r', text('assistant', 9, 'The chart.')),
      ]),
    )
    expect(reply).toMatchObject({ content: 'The chart.', files: [{ id: 'file-Chart1', name: '' }] })
  })

  it('Trifall/chat-export#7: its document and the rest of the answer; other branches have the document as it was there', async () => {
    const { conversation } = await readOne({
      ...canvas('one', { pattern: '.*', multiple: true, replacement: 'two' }),
    })
    expect(conversation?.messages.map(({ content }) => content)).toEqual([
      'A question',
      '**List**\n\n```python\none\n```\n\nWritten.',
      'Change it',
      listOf('two'),
    ])
  })
})

describe('a conversation of ChatGPT', () => {
  it.each<[string, Json, Partial<BuiltConversation>, Json]>([
    ['ibrahim317/cursor-chat-transfer#9: is pinned', { is_starred: true }, { pinned: true }, {}],
    ['open-webui/open-webui#8752: has its dates', {}, { created_at: isoAt(0), updated_at: isoAt(30) }, {}],
    [
      'open-webui/open-webui#9026: of a project is imported, and its place is named',
      { gizmo_id: 'g-p-123' },
      { message_count: 2 },
      { projectPlaces: 1 },
    ],
    ['danny-avila/LibreChat#13630: needs no model', { default_model_slug: null }, { message_count: 2 }, {}],
  ])('%s', async (_, more, expected, leftOut) => {
    const found = await readOne(chatGptOf([question, answer('Yes.')], more))
    expect(found.conversation).toMatchObject(expected)
    expect(found.leftOut).toEqual(leftOut)
  })

  it('rashidazarang/chatgpt-chat-exporter#33: has messages that are a picture alone, and what they quote', async () => {
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1' }
    const { conversation } = await readOne(
      chatGptOf([
        node(
          'q',
          null,
          text('user', 1, '', { content: { content_type: 'multimodal_text', parts: [picture] } }),
        ),
        answer('A cat.'),
        node('q2', 'a', text('user', 10, 'Sure?', { metadata: { targeted_reply: 'A\ncat' } })),
      ]),
    )
    expect(conversation?.messages.map(({ content }) => content)).toEqual([
      '',
      'A cat.',
      '> A\n> cat\n\nSure?',
    ])
    expect(conversation?.messages[0]?.files).toEqual([{ id: 'file_1', name: '' }])
  })

  it.each<[string, Json[]]>([
    ['of replies', [{}, { children: undefined }]],
    ['to what was asked', [{ children: ['a'] }, { parent: null }]],
    ['of either kind', [{ children: [] }, { parent: 'q' }]],
  ])('nowledge-co/community#261: may lack links %s', async (_, [first, second]) => {
    const { conversation } = await readOne({
      conversation_id: 'c',
      current_node: 'a',
      mapping: { q: { ...question[1], ...first }, a: { ...answer('Yes.')[1], ...second } },
    })
    expect(conversation).toMatchObject({ turns: 1, message_count: 2 })
  })

  it('theimaginaryfoundation/what-iff#56: keeps the order of messages of the same time', async () => {
    const nodes = Array.from({ length: 6 }, (_, index) =>
      node(
        `n${index}`,
        index === 0 ? null : `n${index - 1}`,
        text(index % 2 ? 'assistant' : 'user', 1, `no ${index}`),
      ),
    )
    const { conversation } = await readOne(chatGptOf(nodes.reverse()))
    expect(conversation?.messages.map(({ content }) => content)).toEqual(
      [0, 1, 2, 3, 4, 5].map((no) => `no ${no}`),
    )
  })
})

// Claude
const block = (words: string, more: Json = {}) => ({ type: 'text', text: words, ...more })
const callTool = (name: string, input: Json) => ({ type: 'tool_use', name, input })
const artifact = (input: Json) => callTool('artifacts', { id: 'x', ...input })
const reply = (...content: Json[]) => ({ sender: 'assistant', content })
const asked = (words = 'A question') => ({ sender: 'human', content: [block(words)] })

describe('a reply of Claude has', () => {
  it.each<
    [
      string,
      string,
      Json[],
      { content: string; reasoning?: string; sources?: unknown; leftOut?: Json; files?: string[] },
    ]
  >([
    [
      'lobehub/lobehub#5107',
      'artifacts and thoughts of tags',
      [
        asked(),
        reply(
          block(
            '<antThinking>Worth one.</antThinking>\n\n<antArtifact identifier="h" type="text/markdown" title="Haiku">\n# Pond\n</antArtifact>\n\nMade.',
          ),
        ),
      ],
      { content: '**Haiku**\n\n```markdown\n# Pond\n```\n\nMade.', reasoning: 'Worth one.' },
    ],
    [
      'osteele/claude-chat-viewer#5',
      'the words of its notes, spoken or of a kind to come',
      [
        asked(),
        reply(
          { type: 'voice_note', title: 'A *note*', text: 'Spoken.' },
          { type: 'new_kind', text: 'New.' },
          { type: 'voice_note' },
          { type: 'other_kind', text: null },
        ),
      ],
      { content: '**A note**\n\nSpoken.\n\nNew.', leftOut: { recordings: 2, parts: '1: other_kind' } },
    ],
    [
      'Superkikim/nexus-ai-chat-importer#24',
      'artifacts of any version, with their language and sources',
      [
        asked(),
        reply(
          artifact({
            command: 'create',
            type: 'application/vnd.ant.code',
            language: 'py',
            title: 'Run',
            content: 'a',
            md_citations: [{ url: 'https://a.example', title: 'A' }],
          }),
          block('Made.'),
        ),
      ],
      {
        content: '**Run**\n\n```python\na\n```\n\nMade.',
        sources: [{ url: 'https://a.example', title: 'A' }],
      },
    ],
    [
      'Hugo-COLLIN/SaveMyPhind-conversation-exporter#221',
      'the last state of an artifact that was changed in the same reply',
      [
        asked(),
        reply(
          artifact({ command: 'create', type: 'text/html', title: 'Page', content: '<p>a</p>' }),
          block('First.'),
          artifact({ command: 'update', old_str: 'a', new_str: '$&b' }),
          block('Then.'),
        ),
      ],
      { content: 'First.\n\n**Page**\n\n```html\n<p>$&b</p>\n```\n\nThen.' },
    ],
    [
      'ukogan/claude-migration-assistant#3',
      'the state after a change in a later message',
      [
        asked(),
        reply(
          callTool('create_file', { path: '/home/claude/notes.md', file_text: 'one two' }),
          block('Made.'),
        ),
        asked('Again'),
        reply(
          callTool('str_replace', { path: '/home/claude/notes.md', old_str: 'two', new_str: 'three' }),
          block('Changed.'),
        ),
      ],
      { content: '**notes.md**\n\n```markdown\none three\n```\n\nChanged.' },
    ],
    [
      'a change of what the export does not have',
      'a name for it',
      [asked(), reply(artifact({ command: 'update', old_str: 'a', new_str: 'b' }), block('Changed.'))],
      { content: 'Changed.', leftOut: { documentChanges: 1 } },
    ],
    [
      'BoltAI/BoltAI#243',
      'no placeholder, and a name for the document',
      [
        asked(),
        reply(
          block(
            'Here:\n```\nViewing artifacts created via the Analysis Tool web feature preview isn’t yet supported on mobile.\n```\nDone.',
          ),
        ),
      ],
      { content: 'Here:\n\nDone.', leftOut: { missingDocuments: 1 } },
    ],
    [
      'coleam00/dark-factory-experiment#95',
      'links where it cites',
      [
        asked(),
        reply(
          block('Rome is old. It is big.', {
            citations: [{ url: 'https://a.example', title: 'A', start_index: 0, end_index: 12 }],
          }),
        ),
      ],
      {
        content: 'Rome is old. ([A](https://a.example)) It is big.',
        sources: [{ url: 'https://a.example', title: 'A' }],
      },
    ],
    [
      'coleam00/dark-factory-experiment#95',
      'a link behind the last word, of which the position is in the middle',
      [
        asked(),
        reply(
          block('Hello wonderful world', {
            citations: [{ url: 'https://a.example', title: 'A', start_index: 0, end_index: 18 }],
          }),
        ),
      ],
      {
        content: 'Hello wonderful world ([A](https://a.example))',
        sources: [{ url: 'https://a.example', title: 'A' }],
      },
    ],
    [
      'Superkikim/nexus-ai-chat-importer#22',
      'the names of files behind links, but of those that it has',
      [
        asked(),
        reply(
          callTool('create_file', { path: '/mnt/a.py', file_text: 'x' }),
          block(
            '[View](computer:///mnt/user-data/outputs/a.py) and [Report](computer:///mnt/user-data/outputs/r.pdf)',
          ),
        ),
      ],
      { content: '**a.py**\n\n```python\nx\n```\n\nView (a.py) and Report (r.pdf)', files: ['r.pdf'] },
    ],
    [
      'basicmachines-co/basic-memory#8',
      'what tools did, by what a person would miss',
      [
        asked(),
        reply(
          callTool('web_search', { query: 'x' }),
          { type: 'tool_result', name: 'web_search', content: [] },
          callTool('bash_tool', { command: 'ls' }),
          callTool('Asana:create_task', { title: 'x' }),
          callTool('present_files', {}),
          block('Done.'),
        ),
      ],
      { content: 'Done.', leftOut: { webSearches: 1, codeRuns: 1, toolCalls: '1: Asana:create_task' } },
    ],
  ])('%s: %s', async (_, __, messages, { content, reasoning, sources = [], leftOut = {}, files = [] }) => {
    const found = await readOne(claudeOf(messages))
    expect(found.reply?.content).toBe(content)
    expect(found.reply?.reasoning?.text).toBe(reasoning)
    expect(found.reply?.sources ?? []).toEqual(sources)
    expect(found.reply?.files.map(({ name }) => name)).toEqual(files)
    expect(found.leftOut).toEqual(leftOut)
  })

  it('the time that it thought, and the star of its conversation', async () => {
    const thinking = {
      type: 'thinking',
      thinking: 'Hm.',
      start_timestamp: isoAt(1),
      stop_timestamp: isoAt(2),
    }
    const { conversation, reply: last } = await readOne(
      claudeOf([asked(), reply(thinking, block('Yes.'))], { is_starred: true, project_uuid: 'p/1' }),
    )
    expect(conversation).toMatchObject({ pinned: true, project_id: 'p1' })
    expect(last?.reasoning).toEqual({ text: 'Hm.', durationMs: 60_000 })
  })
})

describe('an archive', () => {
  const conversations = strToU8(JSON.stringify([chatGptOf([question, answer('Yes.')])]))
  const projects = [
    {
      uuid: 'p1',
      name: 'Boats',
      description: 'Old ones',
      prompt_template: 'Be a boat builder.',
      docs: [
        { uuid: 'd1', filename: 'engine.md', content: 'Diesel.' },
        { uuid: 'd2', filename: 'plan.pdf', content: 'Text of it.' },
        { uuid: 'd3', filename: 'costs.ods', content: 'Oak, 7' },
        { uuid: 'd4', filename: 'letter.pages', content: 'Dear Ann' },
        { uuid: 'd5', filename: 'hull.png', content: 'A hull' },
        { uuid: 'd6', filename: 'main.go', content: 'package main' },
        { uuid: 'd7', filename: 'plan.html', content: '<p>' },
      ],
    },
    { uuid: 'p2', name: 'How to use Claude', is_starter_project: true },
  ]
  const library = [
    {
      id: 'p1',
      name: 'Boats',
      instructions: 'Be a boat builder.',
      files: [
        { id: 'document-d1', name: 'engine.md', text: 'Diesel.' },
        { id: 'document-d2', name: 'plan.pdf.txt', text: 'Text of it.' },
        { id: 'document-d3', name: 'costs.ods.txt', text: 'Oak, 7' },
        { id: 'document-d4', name: 'letter.pages.txt', text: 'Dear Ann' },
        { id: 'document-d5', name: 'hull.png.txt', text: 'A hull' },
        { id: 'document-d6', name: 'main.go', text: 'package main' },
        { id: 'document-d7', name: 'plan.html', text: '<p>' },
      ],
    },
  ]

  it('taurheim/scrobblify#77: of a Mac has nothing of the Mac', async () => {
    const { conversations: found, leftOut } = await readExport(
      toFile(
        zipSync({
          'Export/conversations.json': conversations,
          'Export/.DS_Store': strToU8('x'),
          'Export/chat.html': strToU8('x'),
          '__MACOSX/Export/._conversations.json': strToU8('x'),
        }),
        'Export.zip',
      ),
    )
    expect([found.length, leftOut]).toEqual([1, {}])
  })

  it.each<[string, Record<string, Uint8Array>]>([
    [
      'a file for each',
      {
        'projects/p1.json': strToU8(JSON.stringify(projects[0])),
        'projects/p2.json': strToU8(JSON.stringify(projects[1])),
      },
    ],
    ['a list', { 'projects.json': strToU8(JSON.stringify(projects)) }],
    [
      'an archive in it',
      { 'projects-000.zip': zipSync({ 'projects/p1.json': strToU8(JSON.stringify(projects[0])) }) },
    ],
  ])('Superkikim/nexus-ai-chat-importer#22: has projects of Claude, as %s', async (_, files) => {
    const archive = zipSync({ 'conversations.json': conversations, ...files })
    const { reader, leftOut } = await readExport(toFile(archive, 'data.zip'))
    expect(reader.library.projects).toEqual(library)
    expect(leftOut).toEqual({ projectDescriptions: '1: Boats' })
  })

  it('ukogan/claude-migration-assistant#4: of several belongs with the others, and a list of links says so', async () => {
    const link = { files: [{ name: 'conversations-000.zip', url: 'https://files.example/1' }] }
    const manifest = toFile(JSON.stringify(link), 'manifest-1.json')
    await expect(openExport([manifest])).rejects.toThrow(DownloadListError)
    await expect(openExport([toFile(JSON.stringify(link), 'download.json')])).rejects.toThrow(
      DownloadListError,
    )
    const { conversations: found, reader } = await readExport(
      manifest,
      toFile(zipSync({ 'conversations.json': conversations }), 'conversations-000.zip'),
      toFile(zipSync({ 'projects/p1.json': strToU8(JSON.stringify(projects[0])) }), 'projects-000.zip'),
    )
    expect([found.length, reader.library.projects.length]).toEqual([1, 1])
  })

  it('danny-avila/LibreChat#15229: that was unpacked is read with its files, in any folder', async () => {
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Cat1' }
    const shown = chatGptOf([
      node(
        'q',
        null,
        text('user', 1, '', { content: { content_type: 'multimodal_text', parts: [picture, 'A cat?'] } }),
      ),
    ])
    const files = Array.from({ length: 3 }, (_, index) =>
      toFile(JSON.stringify([{ ...shown, id: `c${index}` }]), `/Export/conversations-00${index}.json`),
    )
    const {
      conversations: found,
      reader,
      leftOut,
    } = await readExport(
      ...files,
      toFile('cat', '/Export/file-Cat1-cat.png'),
      toFile('dog', '/Export/file-Dog1-dog.png'),
      toFile('{}', '/Export/user.json'),
    )
    expect(found).toHaveLength(3)
    expect(await (await reader.readFile('file-Cat1', ''))?.blob.text()).toBe('cat')
    expect(leftOut).toEqual({ unusedFiles: '1: file-Dog1-dog.png', accountData: '1: user.json' })
  })

  it('that was unpacked has its documents of Office whole, which are archives themselves', async () => {
    const report = zipSync({ 'word/document.xml': strToU8('<w/>') })
    const { reader, leftOut } = await readExport(
      toFile(conversations, '/Export/conversations.json'),
      toFile(report, '/Export/files/0a1b2c3d report.docx'),
      toFile(zipSync({ 'conversations.json': conversations }), '/files/export.zip'),
    )
    expect((await reader.readFile('0a1b2c3d-0000', ''))?.blob.size).toBe(report.length)
    expect(leftOut).toEqual({ unusedFiles: '1: report.docx' })
  })

  it('that is damaged costs no other one', async () => {
    const { conversations: found, leftOut } = await readExport(
      toFile('PK and nothing else', 'broken.zip'),
      toFile(zipSync({ 'conversations.json': conversations }), 'whole.zip'),
    )
    expect([found.length, leftOut]).toEqual([1, { damagedParts: '1: broken.zip' }])
  })

  it('names what another assistant remembers', async () => {
    const memories = strToU8(JSON.stringify([{ conversations_memory: 'Likes boats.' }]))
    const { leftOut } = await readExport(
      toFile(zipSync({ 'conversations.json': conversations, 'memories.json': memories }), 'a.zip'),
    )
    expect(leftOut).toEqual({ sourceMemories: 1 })
  })
})
