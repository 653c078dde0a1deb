import * as z from 'zod'

/**
 * Parses the function's environment, once when its module loads.
 * @param shape variable names and their schemas; an empty string counts as missing
 * @throws Error naming every missing or invalid variable, which fails the start of the function
 */
export function parseEnv<Shape extends z.core.$ZodShape>(
  shape: Shape,
  variables: Record<string, string | undefined> = process.env,
): z.output<z.ZodObject<Shape>> {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = z.object(shape).safeParse(present)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`)
  throw new Error(`The environment is not valid: ${problems.join(', ')}`)
}
