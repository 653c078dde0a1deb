import { expect, it } from 'vitest'
import { formatDate } from '../../../lib/text/dates.ts'
import { summariseRow } from './summarise-row.ts'

it.each([
  [
    'an e-mail',
    {
      id: 'm1',
      threadId: 't1',
      from: 'Ann <ann@example.org>',
      to: 'me',
      subject: 'Budget',
      date: '2026-11-19T09:00:00.000Z',
      snippet: 'The figures',
      unread: true,
    },
    {
      title: 'Budget',
      text: 'Ann <ann@example.org> · The figures',
      meta: formatDate(new Date('2026-11-19T09:00:00.000Z')),
      isUnread: true,
    },
  ],
  [
    'a file',
    {
      name: 'Report.pdf',
      mimeType: 'application/pdf',
      modified: '2026-11-01',
      link: 'https://drive.example/1',
    },
    {
      title: 'Report.pdf',
      text: 'application/pdf',
      meta: formatDate(new Date(2026, 10, 1)),
      link: 'https://drive.example/1',
    },
  ],
  [
    'a contact',
    { firstname: 'Ann', lastname: 'Lee', email: 'ann@example.org', phone: '+1', hs_object_id: '7' },
    { title: 'Ann Lee', text: 'ann@example.org · +1', meta: '' },
  ],
  [
    'a deal',
    { dealname: 'Relaunch', amount: '12000', dealstage: 'contractsent', closedate: '2026-12-15T00:00:00Z' },
    { title: 'Relaunch', text: 'contractsent', meta: '12000' },
  ],
  ['anything else', { colour: 'red', size: 3, inner: {} }, { title: 'red', text: '3', meta: '' }],
  ['a plain value', 'plain', { title: 'plain', text: '', meta: '' }],
  [
    'a link that can be shown beside one that cannot',
    { name: 'x', link: 'drive:1', url: 'https://drive.example/1' },
    { title: 'x', link: 'https://drive.example/1' },
  ],
  ['an unsafe link', { name: 'x', url: 'javascript:alert(1)' }, { title: 'x', link: undefined }],
])('summarises %s', (_, row, parts) => {
  expect(summariseRow(row)).toMatchObject(parts)
})
