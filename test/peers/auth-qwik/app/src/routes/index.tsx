import { component$ } from '@builder.io/qwik';
import { Form } from '@builder.io/qwik-city';
import { useSession, useSignIn, useSignOut } from './plugin@auth';

export default component$(() => {
  const session = useSession();
  const signIn = useSignIn();
  const signOut = useSignOut();
  return (
    <>
      <p>{session.value ? `Hello ${session.value.user?.name}` : 'You are not signed in.'}</p>
      <Form id="sign-in" action={signIn}>
        <input type="hidden" name="providerId" value="fake" />
        <input type="hidden" name="options.redirectTo" value="/me" />
        <button type="submit">Sign in</button>
      </Form>
      <Form id="sign-out" action={signOut}>
        <input type="hidden" name="redirectTo" value="/" />
        <button type="submit">Sign out</button>
      </Form>
    </>
  );
});
