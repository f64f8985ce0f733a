/* What a call through a shared library costs by itself: RMMARD and RMMAQD that do nothing. */
void rmmard_(double *rvec, const int *lenv, const int *iseq);
void rmmaqd_(int *iseed, const int *iseq, const char *chopt, long length);

void rmmard_(double *rvec, const int *lenv, const int *iseq)
{
    (void)rvec, (void)lenv, (void)iseq;
}

void rmmaqd_(int *iseed, const int *iseq, const char *chopt, long length)
{
    (void)iseed, (void)iseq, (void)chopt, (void)length;
}
