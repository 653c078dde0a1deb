import { anyText, testTools } from '../../test/support/capability-requests.ts'

const packingList = {
  name: 'packing-list.txt',
  kind: 'file',
  path: '/packing-list.txt',
  size: 120,
  modified: '2026-11-01T10:00:00Z',
  id: 'id:2',
}

const homePage = {
  name: 'Home page',
  modified: '2026-11-15T10:00:00Z',
  pages: [
    { name: 'Cover', id: '0:1' },
    { name: 'Hero', id: '2:7' },
  ],
}

testTools({
  dropbox: [
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
  figma: [
    {
      tool: 'read_file',
      input: { link: 'AbCdEf1234567890' },
      requests: [{ endpoint: 'GET /files/AbCdEf1234567890', query: { depth: '1' } }],
      result: homePage,
    },
    {
      tool: 'read_file',
      input: { link: 'https://www.figma.com/design/AbCdEf1234567890/Home?node-id=0-1' },
      requests: [{ endpoint: 'GET /files/AbCdEf1234567890', query: { depth: '1' } }],
      result: homePage,
    },
    {
      tool: 'list_comments',
      input: { link: 'https://www.figma.com/board/AbCdEf1234567890/Home' },
      requests: [{ endpoint: 'GET /files/AbCdEf1234567890/comments' }],
      result: {
        comments: [
          {
            from: 'Ann',
            text: 'More air around the logo',
            at: '2026-11-16T09:00:00Z',
            resolved: false,
            id: '9',
          },
        ],
        more: false,
      },
    },
  ],
})
