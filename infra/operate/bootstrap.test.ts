import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('bootstrap.ts', import.meta.url))

function runBootstrap(args: readonly string[], env: Record<string, string>) {
  const withoutAws = Object.entries(process.env).filter(([name]) => !/^(AWS|AMAZON)_/.test(name))
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(
      process.execPath,
      [script, ...args],
      {
        env: {
          ...Object.fromEntries(withoutAws),
          AWS_CONFIG_FILE: '/nothing',
          AWS_SHARED_CREDENTIALS_FILE: '/nothing',
          AWS_EC2_METADATA_DISABLED: 'true',
          ...env,
        },
      },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    ),
  )
}

it.each([
  ['a region', {}, 'No region is set.'],
  ['credentials', { AWS_REGION: 'eu-central-1' }, 'Could not load credentials'],
])('bootstrap without %s says what to do', async (_, env, message) => {
  expect(await runBootstrap([], env)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

it('bootstrap passes its arguments on to the CDK, and builds no page', async () => {
  const { code, stdout, stderr } = await runBootstrap(
    ['aws://123456789012/eu-central-1', '--show-template'],
    { AWS_REGION: 'eu-central-1' },
  )
  expect(stdout).toContain('CloudFormationExecutionRole')
  expect(stdout + stderr).not.toContain('vite')
  expect(code).toBe(0)
})
