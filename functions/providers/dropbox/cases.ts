import { anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const packingList = {
  name: 'packing-list.txt',
  kind: 'file',
  path: '/packing-list.txt',
  size: 120,
  modified: '2026-11-01T10:00:00Z',
  id: 'id:2',
}

export const cases: ProviderCases = {
  roundTrips: {
    create_file: { input: { name: 'Grüße.txt', content: 'Hello', folder: '/Reports/' }, finds: 'Grüße.txt' },
    list_files: { input: { folder: '/Reports' }, finds: 'Grüße.txt' },
  },
  reads: [
    ['list_files', { query: 'packing' }, '/packing-list.txt'],
    ['list_files', {}, 'Reports'],
  ],
  requests: [
    {
      tool: 'list_files',
      input: {},
      requests: [{ endpoint: 'POST /files/list_folder', body: { path: '', limit: 20 } }],
      result: {
        files: [{ name: 'Reports', kind: 'folder', path: '/Reports', id: 'id:1' }, packingList],
        more: false,
      },
    },
    {
      tool: 'list_files',
      input: { folder: '/Reports/', limit: 1 },
      requests: [{ endpoint: 'POST /files/list_folder', body: { path: '/Reports', limit: 1 } }],
      result: { files: [], more: false },
    },
    {
      tool: 'list_files',
      input: { query: 'packing', folder: '/Reports', limit: 5 },
      requests: [
        {
          endpoint: 'POST /files/search_v2',
          body: { query: 'packing', options: { path: '/Reports', max_results: 5, file_status: 'active' } },
        },
      ],
      result: {
        files: [packingList],
        more: false,
      },
    },
    {
      tool: 'create_file',
      input: { name: 'notes.txt', content: 'Hello' },
      requests: [
        {
          endpoint: 'POST /content/files/upload',
          headers: {
            'content-type': 'application/octet-stream',
            'dropbox-api-arg': '{"path":"/notes.txt","mode":"add","autorename":true}',
          },
          body: 'Hello',
        },
      ],
      result: {
        created: true,
        file: {
          name: 'notes.txt',
          path: '/notes.txt',
          size: 5,
          modified: '2026-11-20T12:00:00Z',
          id: anyText,
        },
      },
    },
    {
      tool: 'create_file',
      input: { name: 'Grüße.txt', content: 'Grüße', folder: '/Reports/' },
      requests: [
        {
          endpoint: 'POST /content/files/upload',
          headers: {
            'content-type': 'application/octet-stream',
            'dropbox-api-arg': '{"path":"/Reports/Gr\\u00fc\\u00dfe.txt","mode":"add","autorename":true}',
          },
          body: 'Grüße',
        },
      ],
      result: {
        created: true,
        file: {
          name: 'Grüße.txt',
          path: '/Reports/Grüße.txt',
          size: 7,
          modified: '2026-11-20T12:00:00Z',
          id: anyText,
        },
      },
    },
  ],
  responses: [
    {
      tool: 'list_files',
      input: { query: 'a' },
      case: 'a file and something that is no file',
      responses: [
        [
          '/search_v2',
          {
            matches: [
              { metadata: { '.tag': 'other' } },
              { metadata: { '.tag': 'metadata', metadata: { id: '1', name: 'a', '.tag': 'file', size: 0 } } },
            ],
            has_more: false,
          },
        ],
      ],
      result: { files: [{ name: 'a', kind: 'file', path: '', size: 0, id: '1' }], more: false },
    },
    {
      tool: 'list_files',
      case: 'a deleted entry without an id',
      responses: [
        [
          '/list_folder',
          {
            entries: [
              { '.tag': 'deleted', name: 'b' },
              { id: '1', name: 'a', '.tag': 'folder' },
            ],
            has_more: false,
          },
        ],
      ],
      result: { files: [{ name: 'a', kind: 'folder', path: '', id: '1' }], more: false },
    },
    {
      tool: 'list_files',
      input: { limit: 1 },
      case: 'more entries than requested, and more pages',
      responses: [
        [
          '/list_folder',
          {
            entries: [
              { id: '1', name: 'a' },
              { id: '2', name: 'b' },
            ],
            has_more: true,
          },
        ],
      ],
      result: { files: [{ name: 'a', path: '', id: '1' }], more: true },
    },
    {
      tool: 'list_files',
      input: { limit: 1 },
      case: 'more entries than requested on the only page',
      responses: [
        [
          '/list_folder',
          {
            entries: [
              { id: '1', name: 'a' },
              { id: '2', name: 'b' },
            ],
            has_more: false,
          },
        ],
      ],
      result: { files: [{ name: 'a', path: '', id: '1' }], more: true },
    },
    {
      tool: 'list_files',
      case: 'no field for further pages',
      responses: [['/list_folder', { entries: [] }]],
      result: { files: [], more: false },
    },
    {
      tool: 'list_files',
      input: { query: 'a' },
      case: 'a file that matches, and more pages',
      responses: [
        [
          '/search_v2',
          {
            matches: [{ metadata: { metadata: { id: '1', name: 'a', '.tag': 'file', size: 0 } } }],
            has_more: true,
          },
        ],
      ],
      result: { files: [{ name: 'a', kind: 'file', path: '', size: 0, id: '1' }], more: true },
    },
    {
      tool: 'list_files',
      input: { query: 'a' },
      case: 'no field for further pages of a search',
      responses: [['/search_v2', { matches: [] }]],
      result: { files: [], more: false },
    },
  ],
  chat: {
    reads: [['List the files in Dropbox', 'list_files', 'ideas.txt']],
    write: [
      'Create a Dropbox file with the name "ideas.txt" and the content: more colours',
      'create_file',
      { name: 'ideas.txt' },
    ],
  },
}
