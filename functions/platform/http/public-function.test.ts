import { healthContracts } from '#shared/contracts/health.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { buildProxyEvent, testContext } from '../../../test/support/invoke.ts'
import { healthRoute } from '#shared/health-route.ts'
import { publicFunction } from './public-function.ts'
import { AppError } from '../errors.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

function collectOutput() {
  vi.stubEnv('LOG_LEVEL', 'info')
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  return () => output.mock.calls.map(([chunk]) => JSON.parse(String(chunk)) as Record<string, unknown>)
}

const health = publicFunction('health', healthRoute, async () => ({ ok: true, version: '1.2.3' }))

it('responds as the contract says, and logs one line', async () => {
  const lines = collectOutput()
  const { statusCode, headers, body } = await health(buildProxyEvent('health'), testContext)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(healthContracts.health.response.strict().parse(JSON.parse(body))).toEqual({
    ok: true,
    version: '1.2.3',
  })
  expect(lines()).toMatchObject([
    { level: 'info', message: 'request', requestId: 'request-1', route: 'health', status: 200 },
  ])
})

it('finds no other route', async () => {
  const lines = collectOutput()
  const event = { ...buildProxyEvent('health'), resource: '/api/other' }
  const { statusCode, body } = await health(event, testContext)
  expect(statusCode).toBe(404)
  expect(JSON.parse(body)).toMatchObject({ success: false, requestId: 'request-1' })
  expect(lines()[0]).toMatchObject({ message: 'request', status: 404 })
  expect(lines()[0]).not.toHaveProperty('route')
})

it('hides an internal error from the caller and logs where it happened', async () => {
  const lines = collectOutput()
  const failingHealth = publicFunction('health', healthRoute, async () => {
    throw new Error('disk is full')
  })
  const { statusCode, body } = await failingHealth(buildProxyEvent('health'), testContext)
  expect(statusCode).toBe(500)
  expect(body).not.toContain('disk')
  expect(lines()[0]).toMatchObject({
    level: 'error',
    status: 500,
    error: {
      name: 'Error',
      stack: expect.arrayContaining([expect.stringContaining('public-function.test.ts')]) as string[],
    },
  })
})

it('what administrators have stopped is no fault', async () => {
  const lines = collectOutput()
  class Stopped extends AppError {
    readonly status = 503
    override get isFault() {
      return false
    }
  }
  const stopped = publicFunction('health', healthRoute, async () => {
    throw new Stopped({ code: 'replies_stopped', text: 'Stopped.' }, 'stopped')
  })
  expect(await stopped(buildProxyEvent('health'), testContext)).toMatchObject({ statusCode: 503 })
  expect(lines()[0]).toMatchObject({ level: 'info', status: 503, code: 'replies_stopped' })
  expect(JSON.stringify(lines())).not.toContain('ServerErrors')
})
