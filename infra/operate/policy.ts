import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contextOption, printLine, runCommand } from './command.ts'
import { buildCloudFormationPolicies, buildDeployPolicy, buildOperatePolicy } from './policy/policies.ts'
import { openStage } from './stage.ts'

const options = { ...contextOption, out: { type: 'string', default: 'policies' } } as const

await runCommand('policy', { options }, ({ values: { context, out } }) => {
  const { config } = openStage(context)
  const files = {
    'deploy.json': buildDeployPolicy(config),
    'operate.json': buildOperatePolicy(config),
    ...Object.fromEntries(
      buildCloudFormationPolicies(config).map((policy, at) => [`cloudformation-${at + 1}.json`, policy]),
    ),
  }
  mkdirSync(out, { recursive: true })
  for (const [name, policy] of Object.entries(files)) {
    writeFileSync(join(out, name), `${JSON.stringify(policy, null, 2)}\n`)
    printLine(join(out, name))
  }
})
