import { ExpressAuth } from '@latchkey/express';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import {
  All,
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpCode,
  HttpException,
  Module,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { NestAuth } from '../../nest-auth.ts';

type Fields = Readonly<Record<string, string>>;

/** The application of the binding suite on Nest. docs/frameworks/contract.md lists its routes. */
export async function contractApplication(setup: BindingSetup): Promise<NestExpressApplication> {
  const { base = '', env = {}, secondMount, trustProxy = false, parseBodies = false } = setup;
  // The global prefix of Nest does not apply to middleware. So the base path has it.
  const config = bindingConfig({ ...setup, basePath: base ? `${base}/auth` : setup.basePath });
  const { handler, auth, SessionGuard, signIn, signOut, update } = NestAuth(config, env);

  @Controller()
  class ContractController {
    @Get('session')
    async session(@Req() request: Request, @Res() response: Response, @Query('wait') wait?: string) {
      const session = await auth(request);
      await waitForSuite(wait);
      response.json(session);
    }

    @All('guarded')
    @UseGuards(SessionGuard)
    async guarded(@Req() request: Request) {
      return `<h1>Guarded page of ${(await auth(request))?.user?.name}</h1>`;
    }

    @All('guarded/inner')
    @UseGuards(SessionGuard, SessionGuard)
    inner(@Req() request: Request) {
      return this.guarded(request);
    }

    @All('api/guarded')
    @UseGuards(SessionGuard)
    async api(@Req() request: Request, @Res() response: Response) {
      response.json({ user: (await auth(request))?.user?.name });
    }

    @Post('sign-in')
    @HttpCode(200)
    signIn(@Req() request: Request, @Res() response: Response, @Body() { provider, ...options }: Fields) {
      return call(request, response, async () => ({ url: await signIn(request, provider, options) }));
    }

    @Post('sign-out')
    @HttpCode(200)
    signOut(@Req() request: Request, @Res() response: Response, @Body() options: Fields) {
      return call(request, response, async () => ({ url: (await signOut(request, options)).redirect }));
    }

    @Post('update')
    @HttpCode(200)
    update(@Req() request: Request, @Res() response: Response, @Body() { name }: Fields) {
      return call(request, response, async () => ({ updated: await update(request, { name }) }));
    }

    @Get('cached')
    async cached(@Req() request: Request, @Res() response: Response, @Query() headers: Fields) {
      const session = await auth(request);
      response.set({ ...headers, etag: '"contract"' });
      response.json(session);
    }

    @Get('streamed')
    async streamed(@Req() request: Request, @Res() response: Response, @Query('wait') wait?: string) {
      const session = await auth(request);
      response.type('text').write(`start ${session?.user?.name}\n`);
      await waitForSuite(wait);
      response.end('end\n');
    }

    @Get('late')
    async late(@Req() request: Request, @Res() response: Response, @Query() query: Fields) {
      response.type('text').write('start\n');
      await waitForSuite(query['wait']);
      response.write(`${(await auth(request))?.user?.name}\n`);
      if (query['call'] === 'sign-out') {
        const outcome = await signOut(request, { redirect: false }).then(
          () => 'done',
          (error) => callFailure(error).error,
        );
        response.write(`${outcome}\n`);
      }
      response.end();
    }

    @Get('double')
    async double(@Req() request: Request) {
      const first = await auth(request);
      if (first?.user) first.user.name = 'Changed';
      return [first, await auth(request)];
    }

    @Get('own-cookies')
    async ownCookies(@Req() request: Request, @Res() response: Response, @Query('clear') clear?: string) {
      response.cookie('theme', 'dark');
      const session = await auth(request);
      response.cookie('lang', 'en');
      if (clear) response.clearCookie(clear);
      response.json(session);
    }

    @Get('error')
    async error(@Req() request: Request) {
      await auth(request);
      throw new Error('a secret detail of the application');
    }
  }

  /** Calls the binding, and shows the session before and after the call. */
  async function call(
    request: Request,
    response: Response,
    work: () => Promise<{ url?: string; updated?: unknown }>,
  ): Promise<void> {
    try {
      const before = await auth(request);
      const result = await work();
      if (result.url && request.body['redirect'] !== 'false') response.redirect(result.url);
      else response.json({ before, ...result, after: await auth(request) });
    } catch (error) {
      response.status(400).json(callFailure(error));
    }
  }

  @Module({ controllers: [ContractController] })
  class ContractModule {}

  const app = await NestFactory.create<NestExpressApplication>(ContractModule, {
    logger: false,
    bodyParser: false,
    forceCloseConnections: true,
  });
  app.set('trust proxy', trustProxy);
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader(BINDING_HEADER, 'contract');
    if (request.headers['x-visit']) response.cookie('visited', 'yes');
    next();
  });
  const parse = (): void => void app.useBodyParser('urlencoded', { extended: false }).useBodyParser('json');
  if (parseBodies) parse();
  app.use(handler);
  if (secondMount) app.use(secondMount, ExpressAuth(config, env));
  if (!parseBodies) parse();
  if (base) app.setGlobalPrefix(base);
  return app.useGlobalFilters(new ReportError());
}

@Catch()
class ReportError implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    const response = host.switchToHttp().getResponse<Response>();
    response.status(status).set('x-error-handler', 'application').type('text').send('failed');
  }
}
