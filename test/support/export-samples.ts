/**
 * Conversations as exports of ChatGPT and Claude have them, in the forms of several years and writers. Each form was compared with importers
 * and samples of other projects: LibreChat, Proton Lumo, convoviz, claude-export-viewer.
 */

const seconds = (minute: number) => 1_700_000_000 + minute * 60
const iso = (minute: number) => new Date(seconds(minute) * 1000).toISOString().replace('Z', '000Z')
export const isoAt = (minute: number) => new Date(seconds(minute) * 1000).toISOString()

export type Json = Record<string, unknown>

/** A node of ChatGPT's mapping. */
export function node(
  id: string,
  parent: string | null,
  message: Json | null = null,
  children: string[] = [],
): [string, Json] {
  return [id, { id, parent, children, message: message && { id, ...message } }]
}
export const text = (role: string, minute: number, words: string, more: Json = {}): Json => ({
  author: { role, name: null, metadata: {} },
  create_time: seconds(minute),
  content: { content_type: 'text', parts: [words] },
  recipient: 'all',
  metadata: {},
  ...more,
})
const conversation = (id: string, title: string | null, nodes: [string, Json][], more: Json = {}): Json => ({
  id,
  title,
  create_time: seconds(0),
  update_time: seconds(30),
  mapping: Object.fromEntries(nodes),
  ...more,
})

/** A conversation whose last node is shown. */
export const chatGptOf = (nodes: [string, Json][], more: Json = {}): Json =>
  conversation('aaaaaaaa-0000-4000-8000-000000000009', 'A chat', nodes, more)

/** A conversation of Claude without parents, whose messages follow each other by minutes. */
export const claudeOf = (messages: readonly Json[], more: Json = {}): Json => ({
  uuid: 'bbbbbbbb-0000-4000-8000-000000000009',
  name: 'A chat',
  created_at: iso(0),
  updated_at: iso(30),
  chat_messages: messages.map((message, index) => ({
    uuid: `m${index}`,
    created_at: iso(index),
    attachments: [],
    files: [],
    ...message,
  })),
  ...more,
})

/** 2023: no `conversation_id`, a hidden system message, an edited question and a reply that was regenerated. */
export const chatGpt2023 = conversation(
  'aaaaaaaa-0000-4000-8000-000000000001',
  'Boiling eggs',
  [
    node('root', null, null, ['sys']),
    node('sys', 'root', text('system', 0, ''), ['q1', 'q1b']),
    node('q1', 'sys', text('user', 1, 'How long do eggs take?'), ['a1', 'a1b']),
    node(
      'a1',
      'q1',
      text('assistant', 2, 'Six minutes.', { metadata: { model_slug: 'text-davinci-002-render-sha' } }),
    ),
    node('a1b', 'q1', text('assistant', 3, 'About **seven** minutes.'), ['q2']),
    node('q2', 'a1b', text('user', 4, 'And hard ones?'), ['a2']),
    node('a2', 'q2', text('assistant', 5, 'Ten.')),
    node('q1b', 'sys', text('user', 6, 'How long does an ostrich egg take?'), ['a1c']),
    node('a1c', 'q1b', text('assistant', 7, 'Two hours.')),
  ],
  { current_node: 'a2' },
)

/** 2024: a picture of the user, a picture that DALL-E has made, code that was run, browsing, and voice. */
export const chatGpt2024 = conversation(
  'aaaaaaaa-0000-4000-8000-000000000002',
  null,
  [
    node('root', null),
    node(
      'q1',
      'root',
      text('user', 1, '', {
        content: {
          content_type: 'multimodal_text',
          parts: [
            {
              content_type: 'image_asset_pointer',
              asset_pointer: 'file-service://file-UserPicture1',
              size_bytes: 3,
            },
            'Draw this as a cat, <b>please</b>',
          ],
        },
        metadata: { attachments: [{ id: 'file-UserPicture1', name: 'dog.png', mimeType: 'image/png' }] },
      }),
    ),
    node(
      'call',
      'q1',
      text('assistant', 2, '', {
        content: { content_type: 'code', language: 'json', text: '{"prompt":"a cat"}' },
        recipient: 'dalle.text2im',
      }),
    ),
    node(
      'drawn',
      'call',
      text('tool', 3, '', {
        author: { role: 'tool', name: 'dalle.text2im', metadata: {} },
        content: {
          content_type: 'multimodal_text',
          parts: [
            {
              content_type: 'image_asset_pointer',
              asset_pointer: 'file-service://file-Generated1',
              metadata: { dalle: { prompt: 'a cat' } },
            },
          ],
        },
      }),
    ),
    node('a1', 'drawn', text('assistant', 4, 'Here is your cat.')),
    node(
      'q2',
      'a1',
      text('user', 5, '', {
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'audio_transcription', text: 'What is six times seven?', direction: 'in' },
            { content_type: 'real_time_user_audio_video_asset_pointer', audio_asset_pointer: {} },
          ],
        },
      }),
    ),
    node(
      'run',
      'q2',
      text('assistant', 6, '', { content: { content_type: 'code', text: '6 * 7' }, recipient: 'python' }),
    ),
    node('output', 'run', text('tool', 7, '', { content: { content_type: 'execution_output', text: '42' } })),
    node('a2', 'output', text('assistant', 8, 'It is 42.')),
  ],
  { current_node: 'a2', is_archived: true },
)

/** 2025 and 2026: context and thoughts that are hidden, marks of citations, a canvas, a root without a message, a missing file. */
export const chatGpt2026 = conversation(
  'ignored',
  'Rome\n  in   spring',
  [
    node('client-created-root', null),
    node('context', 'client-created-root', {
      author: { role: 'user' },
      create_time: null,
      content: {
        content_type: 'user_editable_context',
        user_profile: 'CANARY-profile',
        user_instructions: '',
      },
      metadata: { is_visually_hidden_from_conversation: true },
    }),
    node(
      'q1',
      'context',
      text('user', 1, '', {
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00000000abcd#page_0' },
            'Where is this?',
          ],
        },
        metadata: { attachments: [{ id: 'file-Lost1', name: 'lost.pdf' }] },
      }),
    ),
    node('thinking', 'q1', {
      author: { role: 'assistant' },
      create_time: seconds(2),
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Looks', content: 'Roman' }] },
      recipient: 'all',
    }),
    node('a1', 'thinking', text('assistant', 3, 'In Rome\ue200cite\ue202turn0search0\ue201, at the Forum.')),
    node('a2', 'a1', {
      author: { role: 'assistant' },
      create_time: seconds(4),
      content: {
        content_type: 'code',
        text: JSON.stringify({ name: 'Plan', type: 'document', content: '# Day 1\n```\nwalk\n```' }),
      },
      recipient: 'canmore.create_textdoc',
    }),
    node('odd', 'a2', text('assistant', 5, '', { content: { content_type: 'hologram_v9', beams: 3 } })),
  ],
  {
    conversation_id: 'aaaaaaaa-0000-4000-8000-000000000003',
    current_node: 'odd',
    default_model_slug: 'gpt-5-thinking',
    memory_scope: 'global_enabled',
  },
)

/** An entry as broken exports have them. */
export const chatGptWithoutMapping = { id: 'x', title: 'Corrupted', create_time: seconds(0) }

/** 2023: the text alone, no parents. */
export const claude2023 = {
  uuid: 'bbbbbbbb-0000-4000-8000-000000000001',
  name: 'Notes on tea',
  created_at: iso(0),
  updated_at: iso(9),
  account: { uuid: 'cccccccc-0000-4000-8000-000000000001' },
  chat_messages: [
    {
      uuid: 'm1',
      text: 'Summarise this.',
      sender: 'human',
      created_at: iso(1),
      attachments: [
        { file_name: 'tea.txt', file_size: 30, file_type: 'txt', extracted_content: 'Green tea: 80 °C ```' },
      ],
      files: [{ file_name: 'tea.txt' }],
    },
    { uuid: 'm2', text: 'Not too hot.', sender: 'assistant', created_at: iso(2), attachments: [], files: [] },
  ],
}

/** 2025 and 2026: blocks, parents, an edited question, an artifact, a file of which only the name is there. */
export const claude2026 = {
  uuid: 'bbbbbbbb-0000-4000-8000-000000000002',
  name: '',
  summary: 'CANARY-summary',
  created_at: iso(0),
  updated_at: iso(9),
  chat_messages: [
    {
      uuid: 'h1',
      text: 'Draw a circle',
      content: [{ start_timestamp: iso(1), type: 'text', text: 'Draw a circle', citations: [] }],
      sender: 'human',
      created_at: iso(1),
      attachments: [],
      files: [{ file_uuid: 'dddddddd-0000-4000-8000-000000000001', file_name: 'sketch.png' }],
      parent_message_uuid: '00000000-0000-4000-8000-000000000000',
    },
    {
      uuid: 'a1',
      text: 'This block is not supported on your current device yet.',
      content: [
        { type: 'thinking', thinking: 'A thought.', summaries: [] },
        { type: 'text', text: 'Here it is.' },
        {
          type: 'tool_use',
          name: 'artifacts',
          input: { command: 'create', type: 'image/svg+xml', title: 'Circle', content: '<svg/>' },
        },
        { type: 'tool_result', name: 'artifacts', content: [{ type: 'text', text: 'OK' }] },
        { type: 'tool_use', name: 'web_search', input: { query: 'circle' } },
        { type: 'token_budget' },
        { type: 'voice_note' },
        { type: 'hologram' },
      ],
      sender: 'assistant',
      created_at: iso(2),
      parent_message_uuid: 'h1',
    },
    {
      uuid: 'h1b',
      text: 'Draw a square',
      content: [{ type: 'text', text: 'Draw a square' }],
      sender: 'human',
      created_at: iso(3),
      parent_message_uuid: '00000000-0000-4000-8000-000000000000',
    },
    {
      uuid: 'a1b',
      text: 'A square.',
      content: [{ type: 'text', text: 'A square.' }],
      sender: 'assistant',
      created_at: iso(4),
      parent_message_uuid: 'h1b',
    },
  ],
}

/** Another writer's: `messages` with roles, and a string as content. */
export const claudeOther = {
  id: 'bbbbbbbb-0000-4000-8000-000000000003',
  title: 'By another tool',
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ text: 'Hi!' }] },
  ],
}
