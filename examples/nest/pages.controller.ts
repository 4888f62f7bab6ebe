import type { Session } from '@latchkey/core/types';
import { Body, Controller, Get, Header, Post, Redirect, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { examplePages, pageHeaders } from '../shared/example-pages.ts';
import { icon } from '../shared/style.ts';
import { auth, SessionGuard, signOut, update } from './auth.ts';

const pages = examplePages('Nest');

/** Sets the headers of the pages. */
const Page = (): MethodDecorator => {
  const decorators = Object.entries(pageHeaders).map(([name, value]) => Header(name, value));
  return (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor);
  };
};

@Controller()
export class PagesController {
  @Get()
  @Page()
  async start(@Req() request: Request): Promise<string> {
    return pages.start(await auth(request));
  }

  @Get('private')
  @UseGuards(SessionGuard)
  @Page()
  async private(@Req() request: Request): Promise<string | null> {
    const session = await auth(request);
    return session && pages.private(session);
  }

  @Get('api/me')
  @UseGuards(SessionGuard)
  async me(@Req() request: Request): Promise<Session['user']> {
    return (await auth(request))?.user;
  }

  @Post('sign-out')
  @Redirect()
  async signOut(@Req() request: Request): Promise<{ url: string }> {
    const { redirect } = await signOut(request, { redirectTo: '/' });
    return { url: redirect };
  }

  @Post('update')
  @Redirect('/')
  async update(@Req() request: Request, @Body() { name }: { name?: string }): Promise<void> {
    await update(request, { name });
  }

  @Get('favicon.ico')
  @Header('content-type', 'image/svg+xml')
  favicon(): string {
    return icon;
  }
}
