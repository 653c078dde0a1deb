import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import type { ModelCheck } from '../../../functions/model-check/daily-check.ts'
import { ok, problem, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'
import { findOutput, type DoctorInput } from './stacks.ts'

/** The function's time limit. */
const invocationMs = 30_000

/**
 * Finds deployed models that their server shuts down soon, or does not list. The deployed function calls the server, so that no secret is
 * read here; it knows the models of the last deployment.
 */
export async function checkModelDates({ region, stacks }: DoctorInput): Promise<Finding[]> {
  const name = findOutput(await stacks, 'ModelCheckFunction')
  if (name === undefined)
    return [ok('the dates on which they are shut down are checked daily once they are deployed.')]
  const { requestHandler, ...options } = clientOptions(region)
  const lambda = new LambdaClient({
    ...options,
    requestHandler: { ...requestHandler, requestTimeout: invocationMs },
  })
  const { FunctionError, Payload } = await lambda.send(new InvokeCommand({ FunctionName: name }))
  const check = JSON.parse(Buffer.from(Payload ?? []).toString() || '{}') as ModelCheck & {
    errorMessage?: string
  }
  if (FunctionError !== undefined)
    return [
      warning(
        `the model's server could not be asked when it shuts models down (${check.errorMessage}).`,
        'Check the key and openaiBaseUrl, or the region on Bedrock; the log group of ModelCheck in the api stack says more.',
      ),
    ]
  return describeModels(check)
}

/** @param check of the deployed function, which may be of an earlier release */
function describeModels({ hasDates, ending, unlisted = [] }: Partial<ModelCheck>): Finding[] {
  const next = 'Choose another one (openaiModel, models, openaiImageModel), and deploy.'
  const findings = (ending ?? []).map(({ id, shutdownDate, daysLeft }) =>
    daysLeft <= 0
      ? problem(`${id} was shut down on ${shutdownDate}.`, next)
      : warning(`${id} is shut down on ${shutdownDate}, in ${daysLeft} days.`, next),
  )
  const missing = unlisted.map((id) =>
    warning(
      `${id} is not in the list of its server.`,
      'Correct openaiModel or models, and deploy; some servers also take names that they do not list.',
    ),
  )
  const dates = ok(
    hasDates
      ? 'none of the deployed ones is shut down within 60 days.'
      : 'their server does not publish when it shuts models down.',
  )
  return [...(findings.length > 0 ? findings : [dates]), ...missing]
}
