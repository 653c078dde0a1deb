import { App, Validations } from 'aws-cdk-lib'
import { fileURLToPath } from 'node:url'
import { OperatorError } from './operator-error.ts'
import { listGivenContext, mergeContext } from './stage-file.ts'
import { addStacks } from './stacks.ts'

try {
  const app = new App()
  const context = mergeContext(listGivenContext(app.node.getAllContext() as Record<string, unknown>))
  for (const [key, value] of Object.entries(context)) app.node.setContext(key, value)
  addStacks(app, {
    siteFolder: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    region: process.env['CDK_DEFAULT_REGION'],
  })
  if (process.env['NAG'] === 'on') {
    const { AwsSolutionsChecks } = await import('cdk-nag')
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  }
  app.synth()
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
