import { App } from 'aws-cdk-lib'
import { fileURLToPath } from 'node:url'
import { SetupError } from './setup-error.ts'
import { addStacks } from './stacks.ts'

try {
  const app = new App()
  addStacks(app, {
    siteFolder: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    region: process.env['CDK_DEFAULT_REGION'],
  })
  app.synth()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
