import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, runNode } from './command.ts'
import { checkIdentity, resolveRegion } from './doctor/identity.ts'

/**
 * `npm run bootstrap`: prepares the account and the region of the shell for the CDK; an `aws://account/region` names another one. Options
 * are those of `cdk bootstrap`. It runs outside the repository, because the CDK builds the page before every command where cdk.json is.
 */
const cdk = fileURLToPath(new URL('../../node_modules/aws-cdk/bin/cdk', import.meta.url))
const args = process.argv.slice(2)
const environments = await listEnvironments()
if (environments) {
  const folder = await mkdtemp(join(tmpdir(), 'juno-bootstrap-'))
  try {
    process.exitCode = await runNode([cdk, 'bootstrap', ...environments, ...args], {}, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns none if the arguments name one; undefined after an error was reported */
async function listEnvironments(): Promise<string[] | undefined> {
  if (args.some((one) => one.startsWith('aws://'))) return []
  const region = await resolveRegion()
  if (region === undefined) {
    fail('No region is set. Set it: export AWS_REGION=<region>')
    return undefined
  }
  const { account, finding } = await checkIdentity(region)
  if (account !== undefined) return [`aws://${account}/${region}`]
  fail(`Credentials: ${[finding.found, finding.next].filter(Boolean).join(' ')}`)
  return undefined
}
