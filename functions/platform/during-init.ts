/**
 * Does what first calls would wait for while Lambda still loads the function: a processor is whole then, and nobody waits yet. The work
 * does not hold up the load, and a failure shows at the first call that needs it.
 * Source: Lambda's runtime sets this variable, https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function duringInit(work: () => Promise<unknown>): void {
  if (process.env['AWS_LAMBDA_INITIALIZATION_TYPE'] !== undefined) work().catch(() => undefined)
}
