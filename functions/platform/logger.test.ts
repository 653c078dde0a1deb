import { expect, it, vi } from 'vitest'
import { logger, userHash, type LogFields } from './logger.ts'

function logged(write: () => void): string {
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  write()
  const line = String(output.mock.calls[0]?.[0])
  output.mockRestore()
  return line
}

it('writes only the fields of its list', () => {
  const fields = { requestId: 'r', content: 'my secret diary', email: 'ann@example.org' } as LogFields
  const line = logged(() => logger.with({ route: 'chat.send' }).info('request', fields))
  expect(JSON.parse(line)).toEqual({
    time: expect.any(String) as string,
    level: 'info',
    message: 'request',
    requestId: 'r',
    route: 'chat.send',
  })
})

it('keeps the causes of an error, but no token in them', () => {
  const cause = new Error('401 with Bearer eyJhbGciOi.eyJzdWIi.c2ln and key sk-live-1234567890')
  const line = logged(() => logger.error('failed', { error: new Error('the call failed', { cause }) }))
  expect(line).toContain('the call failed')
  expect(line).toContain('401 with')
  expect(line).not.toMatch(/eyJ|sk-live/)
})

it('tells the status of what another server answered, not its text', () => {
  const answer = Object.assign(new Error('429 you said: my secret diary'), { status: 429, headers: {} })
  const line = logged(() =>
    logger.error('failed', { error: new Error('the call failed', { cause: answer }) }),
  )
  expect(line).toContain('"status":429')
  expect(line).not.toContain('diary')
})

it('names users by a hash', () => {
  expect(userHash('ann')).toMatch(/^[0-9a-f]{12}$/)
  expect(userHash('ann')).not.toBe(userHash('ben'))
})
