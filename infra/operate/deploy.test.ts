import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

// starts the command itself, which gets as far as it can without an account
const cwd = join(import.meta.dirname, '../..')
const envWithoutCredentials = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS|AMAZON)_/.test(name))),
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_REGION: 'eu-west-1',
  AWS_CONFIG_FILE: '/nowhere/config',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
}

const run = (command: string, args: string[]) =>
  promisify(execFile)(command, args, { cwd, env: envWithoutCredentials }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  )

/** As operators start it. */
const npmRunDeploy = (...args: string[]) => run('npm', ['run', '--silent', 'deploy', '--', ...args])
/** The same without npm, which takes as long to start as the command. */
const deploy = (...args: string[]) => run(process.execPath, ['infra/operate/deploy.ts', ...args])

describe('npm run deploy', () => {
  it('requires --yes without a terminal', async () => {
    expect(await npmRunDeploy('-c', 'stage=live')).toEqual({
      code: 2,
      output: 'There is no terminal to ask on: give --yes to deploy without questions.\n',
    })
  })

  it('stops after the doctor if something is missing, and passes the context to it', async () => {
    const { code, output } = await deploy('--yes', '-c', 'stage=live')
    expect(output).toContain('the stacks are called juno-live-….')
    expect(output).toContain('problem  Credentials: none found.')
    expect(output).toContain('Nothing was changed')
    expect(code).toBe(1)
  })

  it('goes back only with --yes or a terminal, and with credentials', async () => {
    expect(await deploy('--back')).toEqual({
      code: 2,
      output: 'There is no terminal to ask on: give --yes to go back without questions.\n',
    })
    const { code, output } = await deploy('--back', '--yes', '-c', 'stage=live')
    expect(output).toContain('problem  Credentials: none found.')
    expect(code).toBe(1)
  })

  it('refuses unknown options', async () => {
    const { code, output } = await deploy('--force')
    expect(output).toContain("Unknown option '--force'")
    expect(code).toBe(2)
  })
})
