// Further columns of the users have types wherever an application meets a user.
import { SqlAdapter, type UserFields } from '@latchkey/adapter-sql';
import type { AuthConfig, User } from '@latchkey/core';
import { Pool } from 'pg';
import { exactly } from '../../../packages/core/test/types/assert.ts';

const adapter = SqlAdapter(new Pool(), {
  schema: 'prisma-adapter',
  userFields: {
    role: 'text',
    plan: { type: 'number', column: 'plan_no' },
    active: 'boolean',
    since: 'date',
    settings: 'json',
  },
});

declare module '@latchkey/core' {
  interface User extends UserFields<typeof adapter> {}
}

export const config = {
  adapter,
  providers: [],
  callbacks: {
    async session({ session, user }) {
      exactly<string | null | undefined>()(user.role);
      exactly<number | null | undefined>()(user.plan);
      exactly<boolean | null | undefined>()(user.active);
      exactly<Date | null | undefined>()(user.since);
      exactly<unknown>()(user.settings);
      const updated = await adapter.updateUser({ id: user.id, role: 'reader', plan: null });
      exactly<string | null | undefined>()(updated.role);
      // @ts-expect-error A number is not a role.
      await adapter.updateUser({ id: user.id, role: 5 });
      return session;
    },
  },
} satisfies AuthConfig;

export const user: User = { name: 'Ada', role: 'admin' };

const plain = SqlAdapter(new Pool());
exactly<Record<never, never>>()({} as Required<UserFields<typeof plain>>);

// @ts-expect-error There is no such type of column.
SqlAdapter(new Pool(), { userFields: { role: 'string' } });
