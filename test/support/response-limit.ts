/** What a function that does not stream may return: the local gateway's limit, which is that of Lambda. */
export { maxResponseBytes } from '../../infra/local/lambda.ts'
