import { beforeEach, expect, it, vi } from 'vitest'
import { showToast } from '../../../components/ui/toast.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { notifyToolResults } from './notify-tool-results.ts'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
beforeEach(() => vi.mocked(showToast).mockReset())

const liveCall = (status: ReplyCall['status'], rest: Partial<ReplyCall> = {}): ReplyCall => ({
  id: crypto.randomUUID(),
  name: 'web_search',
  input: {},
  status,
  ...rest,
})
const mail = { activity: { kind: 'other', title: 'Read e-mails', integration: 'Gmail' } } as const

it('ERR-12 names each used tool once', () => {
  notifyToolResults([liveCall('done', mail), liveCall('done', mail), liveCall('done')])
  expect(showToast).toHaveBeenCalledExactlyOnceWith('success', 'Tools Executed Successfully', {
    description: 'Used: Gmail · Read e-mails, Web search',
  })
})

it('ERR-13 names only the tools that failed', () => {
  notifyToolResults([liveCall('done', mail), liveCall('failed'), liveCall('denied')])
  expect(showToast).toHaveBeenCalledExactlyOnceWith('warning', 'Some Tools Failed', {
    description: 'Failed: Web search',
  })
})

it('ERR-13 does not mention denied tools', () => {
  notifyToolResults([liveCall('denied', mail)])
  expect(showToast).not.toHaveBeenCalled()
})

it('shows the hidden characters of names that servers give themselves and their tools', () => {
  const activity = { kind: 'other', title: 'Read\u202Eliam', integration: 'Gm\u200Bail' } as const
  notifyToolResults([liveCall('done', { activity })])
  expect(showToast).toHaveBeenCalledExactlyOnceWith('success', 'Tools Executed Successfully', {
    description: 'Used: Gm[U+200B]ail · Read[U+202E]liam',
  })
})
