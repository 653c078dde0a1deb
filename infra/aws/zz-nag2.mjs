import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { addStacks } from './stacks.ts'
import { readFileSync, mkdtempSync } from 'node:fs'
class P extends AwsSolutionsChecks { validate(c){ const r=super.validate(c); for (const v of r.violations) { console.log(v.severity, v.ruleName); for (const x of v.violatingResources) console.log('     ', x.constructPath) } return {success:true, violations:[]} } }
const cdk = JSON.parse(readFileSync('cdk.json','utf8'))
const app = new App({ context: {...cdk.context, 'aws:cdk:bundling-stacks': [], ...JSON.parse(process.argv[2] ?? '{}')}, outdir: mkdtempSync('/tmp/work/nag-') })
addStacks(app, { siteFolder: '/tmp/work/nagsite' })
Validations.of(app).addPlugins(new P(app))
app.synth()
