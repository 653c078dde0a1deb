import { App } from 'aws-cdk-lib'
import { fileURLToPath } from 'node:url'
import { addStacks } from './stacks.ts'

const app = new App()
addStacks(app, { siteFolder: fileURLToPath(new URL('../../web/dist', import.meta.url)) })
app.synth()
