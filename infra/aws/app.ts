import { App, Validations } from 'aws-cdk-lib'
import { fileURLToPath } from 'node:url'
import { OperatorError } from './operator-error.ts'
import { addStacks } from './stacks.ts'

try {
  const app = new App()
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
