/**
 * Starts work during Lambda's init phase, which has a full CPU, so that the first call need not wait for it. The work does not delay the
 * init phase; a failure shows at the first call that needs the result.
 * Source: Lambda's runtime sets this variable, https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function startDuringInit(work: () => Promise<unknown>): void {
  if (process.env['AWS_LAMBDA_INITIALIZATION_TYPE'] !== undefined) work().catch(() => undefined)
}
