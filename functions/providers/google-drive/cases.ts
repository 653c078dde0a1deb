import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

export const cases: ProviderCases = {
  roundTrips: {
    create_file: {
      input: { name: 'contract.md', content: '# Hello', mimeType: 'text/markdown' },
      finds: 'contract.md',
    },
    list_files: { input: { query: 'contract' }, finds: 'contract.md' },
  },
  requests: [
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      input: {},
      requests: [
        {
          endpoint: 'GET /files',
          query: {
            pageSize: '20',
            q: 'trashed = false',
            orderBy: 'modifiedTime desc',
            fields: 'nextPageToken,files(id,name,mimeType,size,modifiedTime,webViewLink,shortcutDetails)',
            spaces: 'drive',
            supportsAllDrives: 'true',
            includeItemsFromAllDrives: 'true',
          },
        },
      ],
      result: {
        files: [
          {
            name: 'Quarterly report.txt',
            mimeType: 'text/plain',
            size: 30,
            modified: '2026-11-19T08:00:00.000Z',
            link: 'https://drive.google.com/file/d/file-1/view',
            id: 'file-1',
          },
          {
            name: 'Travel plan.md',
            mimeType: 'text/markdown',
            size: 28,
            modified: '2026-11-18T08:00:00.000Z',
            link: 'https://drive.google.com/file/d/file-2/view',
            id: 'file-2',
          },
          {
            name: 'Contacts.csv',
            mimeType: 'text/csv',
            size: 29,
            modified: '2026-11-17T08:00:00.000Z',
            link: 'https://drive.google.com/file/d/file-3/view',
            id: 'file-3',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      input: { query: " Ann's \\ plan ", maxResults: 1 },
      requests: [
        {
          endpoint: 'GET /files',
          query: {
            pageSize: '1',
            q: "(name contains 'Ann\\'s \\\\ plan' or fullText contains 'Ann\\'s \\\\ plan') and trashed = false",
            fields: 'nextPageToken,files(id,name,mimeType,size,modifiedTime,webViewLink,shortcutDetails)',
            spaces: 'drive',
            supportsAllDrives: 'true',
            includeItemsFromAllDrives: 'true',
          },
        },
      ],
      result: { files: [], more: false },
    },
    {
      tool: 'create_file',
      requirement: 'CAP-07',
      input: { name: 'notes.txt', content: 'Hello' },
      requests: [
        {
          endpoint: 'POST /upload/files',
          query: { uploadType: 'multipart', fields: 'id,name,mimeType,size,modifiedTime,webViewLink' },
          headers: { 'content-type': 'multipart/related; boundary=part-…' },
          body: '--part-…\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"notes.txt","mimeType":"text/plain"}\r\n--part-…\r\nContent-Type: text/plain\r\n\r\nHello\r\n--part-…--\r\n',
        },
      ],
      result: {
        created: true,
        file: {
          name: 'notes.txt',
          mimeType: 'text/plain',
          size: 5,
          modified: '2026-11-20T12:00:00.000Z',
          link: textLike(/^https:\/\/drive\.google\.com\/file\/d\/file-\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_file',
      requirement: 'CAP-07',
      input: { name: 'plan "A".md', content: '# Grüße', mimeType: 'text/markdown' },
      requests: [
        {
          endpoint: 'POST /upload/files',
          query: { uploadType: 'multipart', fields: 'id,name,mimeType,size,modifiedTime,webViewLink' },
          headers: { 'content-type': 'multipart/related; boundary=part-…' },
          body: '--part-…\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"plan \\"A\\".md","mimeType":"text/markdown"}\r\n--part-…\r\nContent-Type: text/markdown\r\n\r\n# Grüße\r\n--part-…--\r\n',
        },
      ],
      result: {
        created: true,
        file: {
          name: 'plan "A".md',
          mimeType: 'text/markdown',
          size: 9,
          modified: '2026-11-20T12:00:00.000Z',
          link: textLike(/^https:\/\/drive\.google\.com\/file\/d\/file-\S+$/),
          id: anyText,
        },
      },
    },
  ],
  responses: [
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      case: 'a folder, a link that is not https, and more pages',
      responses: [
        [
          '/files',
          {
            files: [
              { id: '1', name: 'x'.repeat(400), webViewLink: 'http://drive.example' },
              { id: '2', name: 'B', mimeType: 'application/vnd.google-apps.folder' },
            ],
            nextPageToken: 'x',
          },
        ],
      ],
      result: {
        files: [
          { name: `${'x'.repeat(300)}…`, mimeType: '', id: '1' },
          { name: 'B', mimeType: 'application/vnd.google-apps.folder', id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      case: 'nothing',
      responses: [['/files', {}]],
      result: { files: [], more: false },
    },
  ],
  chat: {
    reads: [['List the files in Google Drive', 'list_files', 'minutes.txt']],
    write: [
      'Create a Google Drive file called "minutes.txt" saying "All were there"',
      'create_file',
      { name: 'minutes.txt' },
    ],
  },
}
