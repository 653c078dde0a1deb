import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../aws/config.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { reportUsageError } from './cli-error.ts'
import { buildCloudFormationPolicies, buildDeployPolicy, buildOperatePolicy } from './policy/policies.ts'
import { readArguments } from './arguments.ts'

/**
 * `npm run policy -- --out policies -c stage=live`: writes the IAM policies that a deployment and the operator commands need. Needs no
 * credentials.
 */
try {
  const { values } = readArguments('policy', {
    options: {
      context: { type: 'string', short: 'c', multiple: true, default: [] },
      out: { type: 'string', default: 'policies' },
    },
  })
  const config = readConfig(contextNode(loadContext(values.context)))
  const files = {
    'deploy.json': buildDeployPolicy(config),
    'operate.json': buildOperatePolicy(config),
    ...Object.fromEntries(
      buildCloudFormationPolicies(config).map((policy, index) => [
        `cloudformation-${index + 1}.json`,
        policy,
      ]),
    ),
  }
  mkdirSync(values.out, { recursive: true })
  for (const [name, policy] of Object.entries(files)) {
    writeFileSync(join(values.out, name), `${JSON.stringify(policy, null, 2)}\n`)
    process.stdout.write(`${join(values.out, name)}\n`)
  }
} catch (error) {
  reportUsageError(error)
}
