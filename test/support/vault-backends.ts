import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { secretsManagerBackend } from '../../functions/integrations/vault/secrets-manager.ts'
import { tableBackend } from '../../functions/integrations/vault/table.ts'
import type { SecretBackend, Credentials, VaultKind } from '../../functions/integrations/vault/vault.ts'
import type { Sealer } from '../../functions/platform/secrets/seal.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'

type Step = 'find' | 'put' | 'remove'

/** Both secret backends with injected faults: the step in `faults` fails, and tests can list the stored values. */
export function watchBackends(
  table: Table,
  { sealer, client }: { sealer: Sealer; client: Pick<SecretsManagerClient, 'send'> },
) {
  const names = new Set<string>()
  const faults = { step: undefined as Step | undefined }
  const real = { secrets: secretsManagerBackend(client), table: tableBackend(table, sealer) }

  const watchBackend = (backend: SecretBackend): SecretBackend => {
    const fail = (step: Step) => {
      if (faults.step === step) throw new Error('the store is down')
    }
    return {
      async find(sub, name) {
        fail('find')
        return backend.find(sub, name)
      },
      async put(sub, name, credentials) {
        fail('put')
        names.add(name)
        await backend.put(sub, name, credentials)
      },
      async remove(sub, name) {
        fail('remove')
        await backend.remove(sub, name)
      },
    }
  }

  return {
    faults,
    backends: { secrets: watchBackend(real.secrets), table: watchBackend(real.table) },
    sweep: real.table.sweep,
    /** all of a user's values in a backend, unaffected by faults */
    async listStored(kind: VaultKind, sub: string): Promise<Credentials[]> {
      const own = [...names].filter((name) => name.split('/').at(-3) === sub)
      const found = await Promise.all(own.map((name) => real[kind].find(sub, name)))
      return found.filter((credentials) => credentials !== undefined)
    },
  }
}
