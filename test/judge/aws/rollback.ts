import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { recordRelease } from '../../../infra/operate/deployment/record-release.ts'
import { contextNode, loadContext } from '../../../infra/operate/stage.ts'
import { readConfig } from '../../../infra/aws/config.ts'
import type { Report } from '../report.ts'
import { account, listResources, region, toConstructName } from './deployment.ts'

/** What differs in the later release: the functions' environment, and a file of the site. */
export const laterContext = ['brandName=Juno', 'assistantName=Later']

interface Setting {
  cloudFormation: CloudFormationClient
  origin: string
  /** the assembly that is deployed */
  assembly: string
  /** another one, with `laterContext` */
  later: string
  deploy: (name: string, from: string) => Promise<boolean>
  /** runs a command of the operator, and reports whether it ended well */
  npm: (name: string, ...words: string[]) => Promise<boolean>
}

/** Deploys a later release and goes back from it: once after its smoke test has failed, once after it has passed. */
export async function judgeRollback(
  report: Report,
  { cloudFormation, origin, assembly, later, deploy, npm }: Setting,
): Promise<void> {
  const stage = { config: readConfig(contextNode(loadContext([]))), region, account }
  const readNames = async () => {
    const site = (await (await fetch(`${origin}/config.json`)).json()) as { assistantName: string }
    const chat = (await listResources(cloudFormation)).find(
      ({ LogicalResourceId, ResourceType }) =>
        ResourceType === 'AWS::Lambda::Function' && toConstructName(LogicalResourceId) === 'Chat',
    )?.PhysicalResourceId
    const { Environment } = await new LambdaClient({}).send(
      new GetFunctionConfigurationCommand({ FunctionName: chat }),
    )
    return `${site.assistantName}, ${Environment?.Variables?.['ASSISTANT_NAME']}`
  }
  const judge = (name: string, found: string, expected: string) =>
    found === expected ? report.pass(name) : report.fail(name, `${found}, and not ${expected}`)

  await recordRelease(stage, assembly)
  const before = await readNames()
  for (const isTested of [false, true]) {
    const name = isTested ? 'a later release' : 'a later release that fails its smoke test'
    if (!(await deploy(name, later))) return
    if (isTested) await recordRelease(stage, later)
    judge(`${name} is there`, await readNames(), 'Later, Later')
    const startedAtMs = Date.now()
    if (!(await npm('deploy', '--back', '--yes'))) return
    judge(
      `${name}: back after ${Math.round((Date.now() - startedAtMs) / 1_000)} s, with the smoke test`,
      await readNames(),
      before,
    )
  }
}
