import type { IntegrationDeps } from './deps.ts'

type RemovalDeps = Pick<IntegrationDeps, 'customTools' | 'allowedTools'> & {
  vault: Pick<IntegrationDeps['vault'], 'remove'>
}

/** Deactivates the row, then deletes its secret. Can be repeated. @throws CustomToolNotFound */
export async function removeCustomTool(
  { customTools, allowedTools, vault }: RemovalDeps,
  sub: string,
  id: string,
): Promise<void> {
  const { secret_name } = await customTools.retire(sub, id)
  await allowedTools.revokeAll(sub, id)
  if (secret_name) await vault.remove(sub, secret_name)
  await customTools.removeSecretName(sub, id)
}

/** Removes the custom tools that a sign-out has ended, with their secrets. Can be repeated. */
export async function removeEndedCustomTools(deps: RemovalDeps, sub: string): Promise<void> {
  for (const { id } of await deps.customTools.listEnded(sub)) await removeCustomTool(deps, sub, id)
}
